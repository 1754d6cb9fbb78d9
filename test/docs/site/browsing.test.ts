import { expect, test } from "vitest";
import { languages } from "../../../scripts/docs/samples/languages.ts";
import { sampleRequests } from "../../../scripts/docs/samples/samples.ts";
import { operationsOf } from "../../../scripts/document/operations.ts";
import { readBundle } from "../../../scripts/document/read-bundle.ts";
import { baseUrlOf } from "../../../scripts/document/requests.ts";
import { inBrowser, siteUrl, urlOf } from "./visit.ts";

const open = inBrowser();
const document = await readBundle();
const operation = "operations/send-email";

test("the start page transfers at most 250 KB", async () => {
  const page = await open("");
  await page.waitForLoadState("networkidle");
  const bytes = await page.evaluate<number[]>(
    `["navigation", "resource"].flatMap((type) => performance.getEntriesByType(type)).map(({ encodedBodySize }) => encodedBodySize)`,
  );
  expect(bytes.length).toBeGreaterThan(2);
  expect(bytes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(250_000);
});

test("each file to download is saved, and has its size", async () => {
  const page = await open("downloads");
  const texts = await page
    .locator(".sl-markdown-content a[download]")
    .evaluateAll((links) =>
      links.map((link) => `${link.textContent} ${link.nextElementSibling?.textContent}`),
    );
  expect(texts.length).toBeGreaterThan(6);
  expect(texts.filter((text) => !/ \([1-9]\d* kB\)$/.test(text))).toEqual([]);
});

test("on paper, code is whole, light in both schemes, and without controls", async () => {
  const page = await open(operation, { colorScheme: "dark" });
  await page.setViewportSize({ width: 794, height: 1_000 });
  await page.locator(".panel.request .tabbar label", { hasText: "Python" }).first().click();
  await page.emulateMedia({ media: "print" });
  const cut = await page.locator(".panel:visible, .panel .tabpanel:visible, pre:visible").evaluateAll((all) =>
    all.flatMap((one) => {
      const { scrollHeight, clientHeight, scrollWidth, clientWidth, className } = one as unknown as Record<
        "scrollHeight" | "clientHeight" | "scrollWidth" | "clientWidth",
        number
      > & { className: string };
      return scrollHeight > clientHeight + 1 || scrollWidth > clientWidth + 1 ? [className] : [];
    }),
  );
  expect(cut).toEqual([]);
  const request = page.locator(".panel.request").first();
  expect(await request.innerText()).toContain("print(response.status_code, response.text)");
  const color = await page.evaluate(
    "getComputedStyle(document.querySelector('.panel.request')).backgroundColor",
  );
  expect(color).toBe("rgb(255, 255, 255)");
  for (const control of [".switch", ".page-menu", ".panel .copy"])
    expect(await page.locator(control).first().isVisible(), control).toBe(false);
});

test("on paper, collapsed fields are open, and the JSON of errors is not printed", async () => {
  const page = await open(operation);
  const nested = page.locator(".fields .fold:not([open]) li").first();
  const json = page.locator(".on-demand pre").first();
  expect(await nested.isVisible()).toBe(false);
  await page.emulateMedia({ media: "print" });
  expect(await nested.isVisible()).toBe(true);
  expect(await json.isVisible()).toBe(false);
});

test("on a phone, the cells of a row have the heads of their columns as labels", async () => {
  const page = await open("limits");
  await page.setViewportSize({ width: 390, height: 844 });
  const labels = await page.locator("tr", { has: page.locator("#requestsPerMinute") }).evaluate((row) => {
    const { children } = row as unknown as { children: Iterable<unknown> };
    const style = globalThis as unknown as {
      getComputedStyle(node: unknown, part: string): { content: string };
    };
    return [...children].map((cell) => style.getComputedStyle(cell, "::before").content);
  });
  expect(labels).toEqual(["none", '"Value: "', '"Error: "', '"Description: "']);
});

test("on a phone, the version is hidden unless it is a menu", async () => {
  const page = await open("");
  await page.setViewportSize({ width: 390, height: 844 });
  const version = page.locator(".top .version");
  expect(await version.isVisible()).toBe(false);
  await version.evaluate((one) => {
    (one as unknown as { outerHTML: string }).outerHTML =
      '<details class="menu"><summary class="version">v1.0.0 (current)</summary><ul><li><a href="/">1.0.0</a></li></ul></details>';
  });
  await version.click();
  const box = await page.locator(".top .menu a").boundingBox();
  expect(box?.x).toBeGreaterThanOrEqual(0);
  expect((box?.x ?? 0) + (box?.width ?? 390)).toBeLessThanOrEqual(390);
  expect(await page.evaluate("document.documentElement.scrollWidth")).toBe(390);
});

test("Go is copied with the tabs that gofmt wants", async () => {
  const { write } = languages.find(({ id }) => id === "go") ?? {};
  const request = sampleRequests(document).find(({ operationId }) => operationId === "sendEmail");
  const page = await open(operation);
  const copied = await page.locator('button[data-code^="package main"]').first().getAttribute("data-code");
  const code = request && write?.(request, baseUrlOf(document));
  expect(code).toContain("\n\treq");
  // The library of code blocks writes this character for a line break.
  expect(`${copied?.replaceAll("\u007f", "\n")}\n`).toBe(code);
});

test("the links to the previous and next page stay in their section of the header", async () => {
  const page = await open(operation);
  expect(await page.locator(".pager [rel=prev]").count()).toBe(0);
  await page.goto(urlOf("clients/typescript-openapi-fetch"));
  expect(await page.locator(".pager [rel=next]").count()).toBe(0);
  expect(await page.locator(".pager [rel=prev]").count()).toBe(1);
});

test("the sidebar shows the method of each operation", async () => {
  const page = await open(operation);
  const shown = await page.locator("nav.sidebar a:has(.method)").allInnerTexts();
  const expected = operationsOf(document).map(({ method, operation }) => [
    method === "delete" ? "DEL" : method.toUpperCase(),
    operation.summary,
  ]);
  expect(shown.map((text) => text.split(/\s*\n\s*/)).sort()).toEqual(expected.sort());
});

test("samples are tabs with arrow keys, and the next page selects the same language", async () => {
  const page = await open(operation);
  const tabs = page.getByRole("group", { name: "Language" });
  expect(await tabs.locator("label").allTextContents()).toEqual(languages.map(({ title }) => title));
  await tabs.getByRole("radio", { name: "curl" }).focus();
  for (const _ of languages.slice(1)) await page.keyboard.press("ArrowRight");
  const shown = page.locator(".panel.request pre:visible").first();
  expect(await shown.textContent()).toContain("HttpRequestMessage");
  await page.goto(urlOf("operations/get-email"));
  expect(await page.getByRole("radio", { name: "C#" }).isChecked()).toBe(true);
  expect(await shown.textContent()).toContain("HttpRequestMessage");
});

test("the switch shows requirements, and the next page remembers it", async () => {
  const page = await open(operation);
  const requirement = page.getByRole("link", { name: "SEND-9", exact: true }).first();
  expect(await requirement.isVisible()).toBe(false);
  await page.getByRole("switch", { name: "Show requirements" }).check();
  expect(await requirement.isVisible()).toBe(true);
  await page.goto(urlOf("limits"));
  expect(await page.getByRole("switch", { name: "Show requirements" }).isChecked()).toBe(true);
});

test.each([
  ["a collapsed field", `${operation}#body-attachments-item`],
  ["a field in another tab", `${operation}#body-template-send-template_id`],
])("a link shows its target: %s", async (_, path) => {
  const page = await open(path);
  const field = page.locator(`li:has(> p > ${path.slice(path.indexOf("#"))})`);
  expect(await field.isVisible()).toBe(true);
});

test("every field has a link to itself that names it, on hover and focus", async () => {
  const page = await open(operation);
  const found = await page.locator(".fields .self").evaluateAll((all) =>
    all.map((link) => ({
      id: link.id,
      href: link.getAttribute("href"),
      label: link.getAttribute("aria-label"),
      name: link.previousElementSibling?.textContent,
    })),
  );
  expect(found.length).toBeGreaterThan(20);
  for (const { id, href, label, name } of found) expect([href, label]).toEqual([`#${id}`, `Link to ${name}`]);
  expect(new Set(found.map(({ id }) => id)).size).toBe(found.length);
  const link = page.getByRole("link", { name: "Link to subject", exact: true }).first();
  const opacity = () => page.evaluate("getComputedStyle(document.getElementById('body-subject')).opacity");
  expect(await opacity()).toBe("0");
  await page.locator("p:has(> #body-subject) strong").hover();
  expect(await opacity()).toBe("1");
  await page.mouse.move(0, 0);
  await link.focus();
  expect(await opacity()).toBe("1");
  await page.keyboard.press("Enter");
  expect(new URL(page.url()).hash).toBe("#body-subject");
});

test.each([
  [1440, 4_500],
  [390, 7_000],
])("the page of the largest operation is at most as high as allowed: %i px wide", async (width, most) => {
  const page = await open(operation, { viewport: { width, height: 900 } });
  const height = await page.evaluate<number>("document.documentElement.scrollHeight");
  expect(height).toBeLessThanOrEqual(most);
});

test("code is beside the description from 1200 px, and below it on a narrow screen", async () => {
  const page = await open(operation);
  const isBeside = async (width: number): Promise<boolean> => {
    await page.setViewportSize({ width, height: 900 });
    const [code, fields] = [page.locator(".code-column"), page.locator(".fields-column")];
    return ((await code.boundingBox())?.x ?? 0) > ((await fields.boundingBox())?.x ?? 0);
  };
  expect([await isBeside(1200), await isBeside(1199), await isBeside(390)]).toEqual([true, false, false]);
});

test("the sidebar lists the sections of the page, and the current page is in view", async () => {
  const page = await open("lifecycles");
  const sidebar = page.getByRole("navigation", { name: "Pages" });
  expect(await sidebar.locator(".here a").allTextContents()).toEqual(["Message", "Membership"]);
  const box = await sidebar.locator("[aria-current='page']").boundingBox();
  expect(box?.y).toBeLessThan(page.viewportSize()?.height ?? 0);
});

test("at 390 px, the focus outline of the link to a field is whole", async () => {
  const page = await open(operation);
  await page.setViewportSize({ width: 390, height: 844 });
  const links = await page.locator(".self:visible").all();
  expect(links.length).toBeGreaterThan(5);
  for (const link of links) {
    await link.focus();
    expect((await link.boundingBox())?.x).toBeGreaterThanOrEqual(0);
    expect(await page.evaluate("getComputedStyle(document.activeElement).outlineOffset")).toBe("-2px");
  }
});

test("the first press of Tab focuses the skip link, and examples open with the keyboard", async () => {
  const page = await open(operation);
  await page.keyboard.press("Tab");
  expect(await page.evaluate("document.activeElement.getAttribute('href')")).toBe("#_top");
  const summary = page.locator(".response details.example:not([open]) summary").first();
  await summary.focus();
  await page.keyboard.press("Enter");
  expect(await page.locator(".response details.example[open]").count()).toBeGreaterThan(1);
});

test.each(["light", "dark"] as const)(
  "without scripts the reader's scheme applies, tabs work, and dead controls are hidden: %s",
  async (colorScheme) => {
    const page = await open(operation, { javaScriptEnabled: false, colorScheme });
    const lightness = await page.evaluate<number>(
      "Number(/\\d+/.exec(getComputedStyle(document.body).backgroundColor)[0])",
    );
    expect(lightness > 128).toBe(colorScheme === "light");
    const texts = ["curl https://", "createClient", "requests.post"];
    for (const [index, text] of texts.entries()) {
      await page.locator(".panel.request .tabbar label").nth(index).click();
      const panel = page.locator(".panel.request .tabpanel", { hasText: text }).first();
      expect(await panel.isVisible(), text).toBe(true);
    }
    for (const name of ["Search", "Switch between light and dark", "Copy the URL"])
      expect(await page.getByRole("button", { name }).isVisible(), name).toBe(false);
    expect(await page.getByRole("link", { name: "Quick start" }).first().isVisible()).toBe(true);
  },
);

test("the page by Redocly has every operation and loads nothing from other hosts", async () => {
  const page = await open("");
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  await page.goto(`${siteUrl}redoc.html`);
  for (const { name } of document.tags) {
    await page
      .getByRole("menuitem", { name, exact: true })
      .or(page.getByText(name, { exact: true }))
      .first()
      .click();
    for (const { operation } of operationsOf(document))
      if (operation.tags.includes(name))
        await page.getByText(operation.summary).first().waitFor({ state: "attached" });
  }
  expect(requests.filter((url) => !url.startsWith(siteUrl) && !/^(data|blob):/.test(url))).toEqual([]);
});

test("the names of implementations are in line with the other cells of their rows", async () => {
  const page = await open("implementations");
  const tops = await page.evaluate<number[]>(`
    [...document.querySelector(".verdicts tbody tr").cells].slice(0, 2).map((cell) => {
      const range = document.createRange();
      range.selectNode(document.createTreeWalker(cell, NodeFilter.SHOW_TEXT).nextNode());
      return Math.round(range.getBoundingClientRect().top);
    })`);
  expect(new Set(tops).size).toBe(1);
});
