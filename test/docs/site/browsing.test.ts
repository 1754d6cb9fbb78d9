import type { Browser, Page } from "playwright-core";
import { afterAll, beforeAll, expect, test } from "vitest";
import { sampleRequests } from "../../../scripts/docs/pages/samples.ts";
import { languages } from "../../../scripts/docs/samples/languages.ts";
import { baseUrlOf } from "../../../scripts/document/base-url.ts";
import { operationsOf } from "../../../scripts/document/operations.ts";
import { readBundle } from "../../../scripts/document/read-bundle.ts";
import type { OpenApiDocument } from "../../../scripts/document/types.ts";
import { openBrowser } from "../../sandbox/pages/browser.ts";
import { kebab } from "./facts/fact.ts";
import { siteUrl, urlOf } from "./visit.ts";

let browser: Browser;
let document: OpenApiDocument;
beforeAll(async () => {
  [browser, document] = await Promise.all([openBrowser(), readBundle()]);
});
afterAll(() => browser.close());

const operation = "operations/send-email";

async function opened<Result>(
  path: string,
  work: (page: Page) => Promise<Result>,
  options: Parameters<Browser["newContext"]>[0] = {},
): Promise<Result> {
  const context = await browser.newContext(options);
  try {
    const page = await context.newPage();
    await page.goto(urlOf(path));
    return await work(page);
  } finally {
    await context.close();
  }
}

test("the start page transfers at most 250 KB", async () => {
  const bytes = await opened("", async (page) => {
    await page.waitForLoadState("networkidle");
    return page.evaluate<number[]>(
      `["navigation", "resource"].flatMap((type) => performance.getEntriesByType(type)).map(({ encodedBodySize }) => encodedBodySize)`,
    );
  });
  expect(bytes.length).toBeGreaterThan(2);
  expect(bytes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(250_000);
});

test("search finds the page of every field, error type, limit and operation", async () => {
  const fields = new Set(
    Object.values(document.components.schemas ?? {}).flatMap(({ properties = {} }) =>
      Object.keys(properties),
    ),
  );
  const types = new Set(document["x-errors"].flatMap(({ type }) => type ?? []));
  const terms = [
    ...[...fields].map((term) => ({ term, page: "(operations|objects)/" })),
    ...[...types].map((term) => ({ term, page: "errors/" })),
    ...Object.keys(document["x-limits"]).map((term) => ({ term, page: "limits/" })),
    ...operationsOf(document).map(({ id }) => ({ term: id, page: `operations/${kebab(id)}/` })),
  ];
  const missing = await opened("", (page) =>
    page.evaluate<string[]>(`(async () => {
      const pagefind = await import("${siteUrl}pagefind/pagefind.js");
      const missing = [];
      for (const { term, page } of ${JSON.stringify(terms)}) {
        const { results } = await pagefind.search(term);
        const found = await Promise.all(results.slice(0, 10).map(async (result) => await result.data()));
        const wanted = new RegExp("^${new URL(siteUrl).pathname}" + page);
        const isFound = found.some(({ url, content }) => wanted.test(url) && content.includes(term));
        if (!isFound) missing.push(term);
      }
      return missing;
    })()`),
  );
  expect(terms.length).toBeGreaterThan(100);
  expect(missing).toEqual([]);
});

test("the search works with the keyboard", async () => {
  await opened("", async (page) => {
    // Starlight loads the search when the browser is idle; a headless one may not be idle until the mouse moves.
    let row = 0;
    await expect
      .poll(async () => {
        row += 1;
        await page.mouse.move(10, row);
        return page.locator("#starlight__search input").count();
      })
      .toBe(1);
    await page.keyboard.press("Control+k");
    await page.keyboard.type("not_reschedulable");
    // After slow typing, the results of the first letters come first.
    await page
      .locator("#starlight__search .pagefind-ui__message", {
        hasText: /results? for not_reschedulable/,
      })
      .waitFor();
    await expect
      .poll(async () => {
        await page.keyboard.press("Tab");
        return page.evaluate("document.activeElement.matches('.pagefind-ui__result-link')");
      })
      .toBe(true);
    await page.keyboard.press("Enter");
    await page.waitForURL((url) => url.pathname !== new URL(siteUrl).pathname);
    await expect.poll(() => page.locator("main").textContent()).toContain("not_reschedulable");
  });
});

test("the dialog of the search takes what is typed before its field is there", async () => {
  await opened("", async (page) => {
    // The field comes when the browser is idle, which it is here after the typing.
    await page.addInitScript("requestIdleCallback = (work) => setTimeout(work, 1500)");
    await page.reload();
    await page.keyboard.press("Control+k");
    await page.keyboard.type("suppressed");
    const input = page.locator("#starlight__search input");
    expect(await input.count()).toBe(0);
    await expect.poll(() => input.inputValue()).toBe("suppressed");
    expect(await input.evaluate((one) => one.matches(":focus"))).toBe(true);
    await page.locator("#starlight__search .pagefind-ui__message", { hasText: "for suppressed" }).waitFor();
  });
});

test("the requirements have a filter", async () => {
  await opened("requirements", async (page) => {
    await page.getByLabel("Filter").fill("batch-7");
    const rows = page.locator(".requirements > ul > li:visible");
    expect(await rows.count()).toBe(1);
    expect(await rows.innerText()).toMatch(/^BATCH-7 /);
    expect(await page.locator(".requirements h2:visible").allInnerTexts()).toEqual(["Batch"]);
    await page.getByLabel("Filter").fill("");
    expect(await rows.count()).toBeGreaterThan(200);
  });
});

test("an id in the filter shows no longer ids, and a link finds it in any case", async () => {
  await opened("requirements", async (page) => {
    await page.getByLabel("Filter").fill("send-3 ");
    const rows = page.locator(".requirements > ul > li:visible");
    expect(await rows.count()).toBe(1);
    expect(await rows.innerText()).toMatch(/^SEND-3 /);
    expect(await page.locator(".filter [role=status]").innerText()).toBe(
      "1 shown: check it with --grep SEND-3",
    );
    await page.getByLabel("Filter").fill("send-");
    expect(await rows.count()).toBeGreaterThan(30);
    await page.goto(`${urlOf("requirements")}#idem-2`);
    await page.reload();
    await expect.poll(() => new URL(page.url()).hash).toBe("#IDEM-2");
    const box = await page.locator(".requirements li:has(> p > #IDEM-2)").boundingBox();
    expect(box?.y).toBeGreaterThan(0);
    expect(box?.y).toBeLessThan(page.viewportSize()?.height ?? 0);
  });
});

test("what is unspecified is shown with the requirements only, and leaves no empty lines", async () => {
  for (const path of [operation, "limits", "errors", "objects/error-response"])
    await opened(path, async (page) => {
      // No details, tabs or guides: what a reader sees first.
      const shown = () => page.locator("main .sl-markdown-content").innerText();
      expect(await shown(), path).not.toMatch(/\bis unspecified|are unspecified/);
      const empty = page.locator("main p:visible", { hasNotText: /\S/ });
      const heights = await empty.evaluateAll((all) =>
        all.map((one) => (one as unknown as { offsetHeight: number }).offsetHeight),
      );
      expect(
        heights.filter((height) => height > 0),
        path,
      ).toEqual([]);
      await page.getByRole("switch", { name: "Show requirements" }).check();
      expect(await shown(), path).toMatch(/\bis unspecified|are unspecified/);
    });
});

test("on paper, code is whole, light in both schemes, and without controls", async () => {
  await opened(
    operation,
    async (page) => {
      await page.setViewportSize({ width: 794, height: 1_000 });
      await page.locator(".panel.request .tabbar label", { hasText: "Python" }).first().click();
      await page.emulateMedia({ media: "print" });
      const cut = await page
        .locator(".panel:visible, .panel .tabpanel:visible, pre:visible")
        .evaluateAll((all) =>
          all.flatMap((one) => {
            const { scrollHeight, clientHeight, scrollWidth, clientWidth, className } =
              one as unknown as Record<
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
    },
    { colorScheme: "dark" },
  );
});

test("on a phone, the version is hidden unless it is a menu", async () => {
  await opened("", async (page) => {
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
});

test("a link to a requirement that the filter hides shows it", async () => {
  await opened("requirements", async (page) => {
    await page.getByLabel("Filter").fill("batch-7");
    const target = page.locator(".requirements li:has(#SEND-9)");
    expect(await target.isVisible()).toBe(false);
    await page.evaluate("location.hash = '#SEND-9'");
    await expect.poll(() => target.isVisible()).toBe(true);
    expect(await page.getByLabel("Filter").inputValue()).toBe("");
  });
});

test("a malformed fragment names nothing", async () => {
  await opened("requirements", async (page) => {
    const errors: string[] = [];
    page.on("pageerror", ({ message }) => errors.push(message));
    for (const hash of ["#%", "#%E0%A4%A", "#try=%"]) {
      await page.goto(`${urlOf(operation)}${hash}`);
      await page.reload();
      await page.evaluate("location.hash = '#%zz'");
    }
    await page.waitForTimeout(100);
    expect(errors).toEqual([]);
  });
});

test("Go is copied with the tabs that gofmt wants", async () => {
  const { write } = languages.find(({ id }) => id === "go") ?? {};
  const request = sampleRequests(document).find(({ operationId }) => operationId === "sendEmail");
  const copied = await opened(operation, (page) =>
    page.locator('button[data-code^="package main"]').first().getAttribute("data-code"),
  );
  const code = request && write?.(request, baseUrlOf(document));
  expect(code).toContain("\n\treq");
  // The library of code blocks writes this character for a line break.
  expect(`${copied?.replaceAll("\u007f", "\n")}\n`).toBe(code);
});

test("the links to the previous and next page stay in their section of the header", async () => {
  await opened(operation, async (page) => {
    expect(await page.locator(".pager [rel=prev]").count()).toBe(0);
    await page.goto(urlOf("guides/testing-a-client"));
    expect(await page.locator(".pager [rel=next]").count()).toBe(0);
    expect(await page.locator(".pager [rel=prev]").count()).toBe(1);
  });
});

test("the sidebar shows the method of each operation", async () => {
  const shown = await opened(operation, (page) => page.locator("nav.sidebar a:has(.method)").allInnerTexts());
  const expected = operationsOf(document).map(({ method, operation }) => [
    method === "delete" ? "DEL" : method.toUpperCase(),
    operation.summary,
  ]);
  expect(shown.map((text) => text.split(/\s*\n\s*/)).sort()).toEqual(expected.sort());
});

test("samples are tabs with arrow keys, and the next page selects the same language", async () => {
  await opened(operation, async (page) => {
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
});

test("the switch shows requirements, and the next page remembers it", async () => {
  await opened(operation, async (page) => {
    const requirement = page.getByRole("link", { name: "SEND-9", exact: true }).first();
    expect(await requirement.isVisible()).toBe(false);
    await page.getByRole("switch", { name: "Show requirements" }).check();
    expect(await requirement.isVisible()).toBe(true);
    await page.goto(urlOf("limits"));
    expect(await page.getByRole("switch", { name: "Show requirements" }).isChecked()).toBe(true);
  });
});

test.each([
  ["a collapsed field", `${operation}/#body-attachments-item`],
  ["a field in another tab", `${operation}/#body-template-send-template_id`],
])("a link shows its target: %s", async (_, path) => {
  const visible = await opened("", async (page) => {
    await page.goto(`${siteUrl}${path}`);
    return page.locator(`li:has(> p > ${path.slice(path.indexOf("#"))})`).isVisible();
  });
  expect(visible).toBe(true);
});

test("every field has a link to itself that names it, on hover and focus", async () => {
  await opened(operation, async (page) => {
    const found = await page.locator(".fields .self").evaluateAll((all) =>
      all.map((link) => ({
        id: link.id,
        href: link.getAttribute("href"),
        label: link.getAttribute("aria-label"),
        name: link.previousElementSibling?.textContent,
      })),
    );
    expect(found.length).toBeGreaterThan(20);
    for (const { id, href, label, name } of found)
      expect([href, label]).toEqual([`#${id}`, `Link to ${name}`]);
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
});

test.each([
  [1440, 4_500],
  [390, 7_000],
])("the page of the largest operation is at most as high as allowed: %i px wide", async (width, most) => {
  const viewport = { width, height: 900 };
  const height = await opened(
    operation,
    (page) => page.evaluate<number>("document.documentElement.scrollHeight"),
    {
      viewport,
    },
  );
  expect(height).toBeLessThanOrEqual(most);
});

test("code is beside the description from 1200 px, and below it on a narrow screen", async () => {
  const places = await opened(operation, async (page) => {
    const xOf = async (width: number) => {
      await page.setViewportSize({ width, height: 900 });
      const [code, fields] = [page.locator(".code-column"), page.locator(".fields-column")];
      return ((await code.boundingBox())?.x ?? 0) > ((await fields.boundingBox())?.x ?? 0);
    };
    return [await xOf(1200), await xOf(1199), await xOf(390)];
  });
  expect(places).toEqual([true, false, false]);
});

test("the sidebar lists the sections of the page, and the current page is in view", async () => {
  await opened("lifecycles", async (page) => {
    const sidebar = page.getByRole("navigation", { name: "Pages" });
    expect(await sidebar.locator(".here a").allTextContents()).toEqual(["Message", "Membership"]);
    const box = await sidebar.locator("[aria-current='page']").boundingBox();
    expect(box?.y).toBeLessThan(page.viewportSize()?.height ?? 0);
  });
});

test("at 390 px, the focus outline of the link to a field is whole", async () => {
  await opened(operation, async (page) => {
    await page.setViewportSize({ width: 390, height: 844 });
    const links = await page.locator(".self:visible").all();
    expect(links.length).toBeGreaterThan(5);
    for (const link of links) {
      await link.focus();
      expect((await link.boundingBox())?.x).toBeGreaterThanOrEqual(0);
      expect(await page.evaluate("getComputedStyle(document.activeElement).outlineOffset")).toBe("-2px");
    }
  });
});

test("the first press of Tab focuses the skip link, and examples open with the keyboard", async () => {
  await opened(operation, async (page) => {
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.getAttribute('href')")).toBe("#_top");
    const summary = page.locator(".response details.example:not([open]) summary").first();
    await summary.focus();
    await page.keyboard.press("Enter");
    expect(await page.locator(".response details.example[open]").count()).toBeGreaterThan(1);
  });
});

test.each(["light", "dark"] as const)(
  "without scripts the reader's scheme applies, tabs work, and dead controls are hidden: %s",
  async (colorScheme) => {
    await opened(
      operation,
      async (page) => {
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
      { javaScriptEnabled: false, colorScheme },
    );
  },
);

test("the page by Redocly has every operation and loads nothing from other hosts", async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
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
  await context.close();
});
