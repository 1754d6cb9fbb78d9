import { existsSync } from "node:fs";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, inject, test } from "vitest";
import { parse } from "yaml";
import { publishedDocument } from "../../../scripts/docs/config/document.ts";
import { siteConfig } from "../../../scripts/docs/config/site-config.ts";
import { skillFile } from "../../../scripts/docs/links.ts";
import { withoutTargets } from "../../../scripts/docs/text-files.ts";
import { operationsOf } from "../../../scripts/document/operations.ts";
import { readBundle } from "../../../scripts/document/read-bundle.ts";
import {
  brokenLinks,
  inBrowser,
  sharedSite,
  siteUrl,
  urlOf,
  type Visited,
  views,
  visitAll,
} from "./visit.ts";

describe("every page", () => {
  let pages: Visited[];
  beforeAll(async () => {
    pages = await visitAll(sharedSite);
  }, 900_000);

  test.each(views)("axe finds no problem, and no page is wider than the viewport: %s", (view) => {
    const problems = pages.flatMap((page) => page.problems.get(view)?.map((text) => `${page.path}: ${text}`));
    expect(problems).toEqual([]);
  });

  test("no request leaves the site", () => {
    const requests = pages.flatMap((page) => page.requests);
    expect(requests.length).toBeGreaterThan(pages.length);
    expect(requests.filter((url) => !url.startsWith(siteUrl) && !url.startsWith("data:"))).toEqual([]);
  });

  test("every link within the site leads to an existing page, file and anchor", () => {
    expect(brokenLinks(pages, sharedSite)).toEqual([]);
  });

  test("no id is on a page twice", () => {
    const duplicates = pages.flatMap(({ path, ids }) =>
      ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `${path}#${id}`),
    );
    expect(duplicates).toEqual([]);
  });
});

const open = inBrowser();
const operation = "operations/get-me";

test("a URL without the last slash leads to the page; a missing page has the navigation and links to others", async () => {
  const page = await open("");
  await page.goto(`${siteUrl}${operation}`);
  expect(page.url()).toBe(urlOf(operation));
  const response = await page.goto(`${siteUrl}no-such-page/`);
  expect(response?.status()).toBe(404);
  const sidebar = page.getByRole("navigation", { name: "Pages" });
  expect(await sidebar.getByRole("link").count()).toBeGreaterThan(20);
  await page.getByRole("main").getByRole("link", { name: "Overview" }).click();
  await page.waitForURL(siteUrl);
});

test("a missing page has a search field with the last words of its URL", async () => {
  const page = await open("");
  await page.goto(`${siteUrl}operations/reschedule-mail.html`);
  const field = page.getByRole("main").getByRole("searchbox");
  expect(await field.inputValue()).toBe("reschedule mail");
  await field.press("Enter");
  await page.getByRole("dialog").getByRole("link", { name: "Reschedule a message" }).first().waitFor();
});

test("the title of every page with a sidebar has the same left edge", async () => {
  const page = await open("", { viewport: { width: 1440, height: 900 } });
  const edges = new Map<string, number>();
  for (const path of [
    operation,
    "errors",
    "limits",
    "lifecycles",
    "guides/sending",
    "objects/message",
    "changelog",
  ]) {
    await page.goto(urlOf(path));
    edges.set(path, await page.evaluate<number>("document.querySelector('h1').getBoundingClientRect().left"));
  }
  expect(new Set(edges.values()).size, JSON.stringify([...edges])).toBe(1);
});

test("no page needs a glyph that the fonts of the site lack, such as an arrow", async () => {
  const folder = inject("siteFolder");
  const files = await readdir(folder, { recursive: true });
  const found = new Set<string>();
  for (const file of files.filter((name) => /(?<!redoc)\.html$/.test(name))) {
    const html = await readFile(join(folder, file), "utf8");
    const text = html.replaceAll(/<(script|style|kbd)\b.*?<\/\1>|<[^>]+>/gs, "");
    for (const [glyph] of text.matchAll(/[^\u0020-\u007f\u00a0-\u00ff\u2010-\u2026\s]/g))
      found.add(`${file}: ${glyph}`);
  }
  for (const file of files.filter((name) => /^(_astro|try).*\.css$/.test(name))) {
    const css = await readFile(join(folder, file), "utf8");
    // The key of a Mac, which has the glyph; and an arrow of the search that Starlight removes.
    for (const [, text = ""] of css.matchAll(/content: ?"([^"]*)"/g))
      if (!/^[\u2318\u2937\u0020-\u007e]*$/.test(text)) found.add(`${file}: ${text}`);
  }
  expect([...found]).toEqual([]);
});

test("the page for a missing page adds the last slash if that leads to a page, and else loads once", async () => {
  const page = await open("");
  const notFound = await (await page.goto(`${siteUrl}no-such-page/`))?.body();
  let loads = 0;
  // A host that does not add the slash.
  await page.route(/(no-such-page|operations\/get-me)(\?.*)?$/, (route) => {
    loads += 1;
    return route.fulfill({ status: 404, contentType: "text/html", body: notFound ?? "" });
  });
  await page.goto(`${siteUrl}operations/get-me?a=1#responses`);
  await page.waitForURL(`${siteUrl}operations/get-me/?a=1#responses`);
  await page.goto(`${siteUrl}no-such-page`, { waitUntil: "networkidle" });
  expect(page.url()).toBe(`${siteUrl}no-such-page`);
  expect(loads).toBe(2);
});

test("a path that starts with // stays on this host", async () => {
  const { origin } = new URL(siteUrl);
  const response = await fetch(`${siteUrl}//other.example/page`, { redirect: "manual" });
  const location = response.headers.get("location") ?? "";
  expect(new URL(location, response.url).origin).toBe(origin);
  const page = await open("");
  const notFound = await (await page.goto(`${siteUrl}no-such-page/`))?.body();
  const others: string[] = [];
  page.on("request", (request) => {
    if (!request.url().startsWith(origin)) others.push(request.url());
  });
  await page.route(/other\.example\/page$/, (route) =>
    route.fulfill({ status: 404, contentType: "text/html", body: notFound ?? "" }),
  );
  await page.goto(`${origin}//other.example/page`, { waitUntil: "networkidle" });
  expect(others).toEqual([]);
});

test("the requirements have a filter", async () => {
  const page = await open("requirements");
  await page.getByLabel("Filter").fill("batch-7");
  const rows = page.locator(".requirements > ul > li:visible");
  expect(await rows.count()).toBe(1);
  expect(await rows.innerText()).toMatch(/^BATCH-7 /);
  expect(await page.locator(".requirements h2:visible").allInnerTexts()).toEqual(["Batch"]);
  await page.getByLabel("Filter").fill("");
  expect(await rows.count()).toBeGreaterThan(200);
});

test("an id in the filter shows no longer ids, and a link finds it in any case", async () => {
  const page = await open("requirements");
  await page.getByLabel("Filter").fill("send-3 ");
  const rows = page.locator(".requirements > ul > li:visible");
  expect(await rows.count()).toBe(1);
  expect(await rows.innerText()).toMatch(/^SEND-3 /);
  expect(await page.locator(".filter [role=status]").innerText()).toBe(
    "1 shown: check it with --grep SEND-3",
  );
  await page.getByLabel("Filter").fill("send-");
  expect(await rows.count()).toBeGreaterThan(30);
  await page.goto(urlOf("requirements#idem-2"));
  await page.reload();
  await expect.poll(() => new URL(page.url()).hash).toBe("#IDEM-2");
  const box = await page.locator(".requirements li:has(> p > #IDEM-2)").boundingBox();
  expect(box?.y).toBeGreaterThan(0);
  expect(box?.y).toBeLessThan(page.viewportSize()?.height ?? 0);
});

test("what is unspecified is shown without the requirements, on lines of its own", async () => {
  for (const path of ["operations/send-email", "limits", "errors", "objects/error-response"]) {
    const page = await open(path);
    const lines = (await page.locator("main .sl-markdown-content").innerText()).split("\n");
    const notes = lines.filter((line) => /\b(is|are) unspecified/.test(line));
    expect(notes.length, path).toBeGreaterThan(0);
    for (const line of notes) expect(line, path).toMatch(/^[^.]*( \S+\.\S+ )?[^.]*\.$/);
    const empty = page.locator("main p:visible", { hasNotText: /\S/ });
    expect(await empty.count(), path).toBe(0);
  }
});

test("a long path in code breaks after a slash, and a backslash is never alone on a line", async () => {
  const page = await open("", { viewport: { width: 390, height: 844 } });
  const wide = page.locator(".operations code", { hasText: "/unsubscribe" });
  expect(await wide.locator("wbr").count()).toBeGreaterThan(3);
  for (const path of ["", "operations/send-email", "guides/quick-start"]) {
    const page = await open(path, { viewport: { width: 390, height: 844 } });
    const lines = await page.locator(".ec-line:visible").allInnerTexts();
    expect(
      lines.flatMap((line) => line.split("\n")),
      path,
    ).not.toContain("\\");
  }
});

test("a command on a narrow screen breaks before an option, and within a URL only if it is longer than a line", async () => {
  for (const path of ["guides/sandbox", "guides/scheduling"]) {
    const page = await open(path, { viewport: { width: 390, height: 844 } });
    const broken = await page.evaluate(`[...document.querySelectorAll('[data-language="sh"] .code > span')]
      .filter(({ textContent }) => /^(-|https?:)/.test(textContent))
      .filter((word) => {
        const { height, width } = word.getBoundingClientRect();
        const value = word.nextElementSibling?.nextElementSibling;
        const isApart = value && value.getClientRects()[0].top > word.getBoundingClientRect().bottom;
        return word.textContent.startsWith("-") ? height > 20 || isApart : height > 30 && width < 250;
      })
      .map(({ textContent }) => textContent)`);
    expect(broken, path).toEqual([]);
  }
});

test("the title of the first page is seen above its lead", async () => {
  const page = await open("");
  const [title, lead] = [page.locator("h1"), page.locator(".sl-markdown-content > p").first()];
  const [{ height = 0, y = 0 }, below] = [(await title.boundingBox()) ?? {}, await lead.boundingBox()];
  expect(height).toBeGreaterThan(20);
  expect(below?.y).toBeGreaterThan(y + height);
});

test("pages that are 320 px wide do not scroll sideways", async () => {
  for (const path of ["errors", "lifecycles", "unspecified", "abilities"]) {
    const page = await open(path, { viewport: { width: 320, height: 640 } });
    expect(await page.evaluate("document.documentElement.scrollWidth - innerWidth"), path).toBe(0);
  }
});

test("a link to a requirement that the filter hides shows it", async () => {
  const page = await open("requirements");
  await page.getByLabel("Filter").fill("batch-7");
  const target = page.locator(".requirements li:has(#SEND-9)");
  expect(await target.isVisible()).toBe(false);
  await page.evaluate("location.hash = '#SEND-9'");
  await expect.poll(() => target.isVisible()).toBe(true);
  expect(await page.getByLabel("Filter").inputValue()).toBe("");
});

test("a malformed fragment names nothing", async () => {
  const page = await open("requirements");
  for (const hash of ["#%", "#%E0%A4%A", "#try=%"]) {
    await page.goto(urlOf(`operations/send-email${hash}`));
    await page.reload();
    await page.evaluate("location.hash = '#%zz'");
  }
  // An error of the page would fail the test.
  await page.waitForTimeout(100);
});

const read = (name: string): Promise<string> => readFile(join(inject("siteFolder"), name), "utf8");

test("every page has a Markdown file, which its head links and llms.txt lists", async () => {
  const list = await read("llms.txt");
  expect(list).toMatch(/^# Email API\n\n> /);
  for (const path of inject("pagePaths")) {
    const name = `${path || "index"}.md`;
    expect(await read(name), name).toMatch(/^# .+\n/);
    const html = await read(join(path, "index.html"));
    expect(html).toContain(`href="/reference/${name}"`);
    if (path !== "") expect(list).toContain(`(/reference/${name})`);
  }
});

test("links in Markdown files lead to existing files", async () => {
  const names = inject("pagePaths").map((path) => `${path || "index"}.md`);
  const texts = await Promise.all(names.map(read));
  const targets = texts.flatMap((text) =>
    [...text.matchAll(/\]\(\/reference\/([^)#]+)/g)].map(([, target]) => String(target)),
  );
  expect(targets.length).toBeGreaterThan(100);
  const missing = targets.filter((target) => !existsSync(join(inject("siteFolder"), target)));
  expect(missing).toEqual([]);
});

test("llms-full.txt and llms-optional.txt contain every page once", async () => {
  const files = await Promise.all(["llms-full.txt", "llms-optional.txt"].map(read));
  for (const path of inject("pagePaths")) {
    const text = withoutTargets(await read(`${path || "index"}.md`), "/reference/");
    expect(
      files.filter((all) => all.includes(text)),
      path,
    ).toHaveLength(1);
  }
});

const kilobytes = (text: string): number => Buffer.byteLength(text) / 1000;

test("what agents read is short", async () => {
  expect(kilobytes(await read("llms-full.txt"))).toBeLessThan(120);
  const skill = await read(skillFile);
  expect(skill.trimEnd().split("\n").length).toBeLessThanOrEqual(150);
  expect(skill).not.toContain("<!--");
  for (const path of inject("pagePaths").filter((one) => one.startsWith("operations/")))
    expect(kilobytes(await read(`${path}.md`)), path).toBeLessThan(20);
});

test("Markdown has no ids of requirements, which pages do not show at first", async () => {
  for (const path of inject("pagePaths").filter((one) =>
    /^(operations|objects|idempotency|errors)/.test(one),
  ))
    expect(await read(`${path}.md`), path).not.toMatch(/\b(SEND|IDEM|ERR|OPEN|CONT|LOOK)-\d/);
});

test("llms.txt has method and path of each operation, and optional pages at its end", async () => {
  const [needed, optional] = (await read("llms.txt")).split("## Optional");
  expect(needed).toContain(
    "- [Send a message](/reference/operations/send-email.md): `POST /api/v1/emails`. Sends a message immediately, or at `scheduled_at`.",
  );
  expect(needed).not.toMatch(/requirements\.md|guides\/testing-a-/);
  expect(optional).toContain("(/reference/guides/testing-a-server.md)");
});

test("the published document is available as JSON and YAML", async () => {
  const document = await publishedDocument(siteConfig());
  expect(JSON.parse(await read("openapi.json"))).toEqual(document);
  expect(parse(await read("openapi.yaml"))).toEqual({ ...document, "x-generated": expect.any(String) });
});

interface Item {
  name: string;
  item?: Item[];
  request?: { method: string; url: { path: string[] }; body?: { raw: string } };
}

test("the Postman collection has a request for each operation, with the example of the document as body", async () => {
  const collection = JSON.parse(await read("postman.json")) as { item: Item[] };
  const requests = (items: Item[]): Item[] =>
    items.flatMap((item) => (item.request ? [item] : requests(item.item ?? [])));
  const found = requests(collection.item).map(
    ({ request }) => `${request?.method} /${request?.url.path.join("/").replaceAll(/:(\w+)/g, "{$1}")}`,
  );
  const expected = operationsOf(await readBundle()).map(
    ({ method, path }) => `${method.toUpperCase()} ${path}`,
  );
  expect(found.sort()).toEqual(expected.sort());
  const send = requests(collection.item).find(
    ({ request }) => request?.method === "POST" && request.url.path.at(-1) === "emails",
  );
  expect(JSON.parse(send?.request?.body?.raw ?? "")).toMatchObject({ from: "hello@bakery.example" });
});
