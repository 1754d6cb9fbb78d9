import { existsSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";
import type { Browser, BrowserContextOptions, Page } from "playwright-core";
import { afterAll, beforeAll, expect, inject, onTestFinished } from "vitest";
import { openBrowser } from "../../sandbox/pages/browser.ts";

/** The result of visiting a page. */
export interface Visited {
  path: string;
  /** The absolute URLs of its links. */
  links: string[];
  /** The ids of its elements. */
  ids: string[];
  /** The URLs that the browser requested. */
  requests: string[];
  /** Accessibility and layout problems, by view. */
  problems: Map<View, string[]>;
}

const schemes = ["light", "dark"] as const;
const widths = [390, 768, 1440] as const;
type Scheme = (typeof schemes)[number];
type View = `${(typeof widths)[number]} px, ${Scheme}`;

/** The widths in both color schemes. Of the one between the narrow and the wide one, only sizes count. */
export const views: readonly View[] = [
  "390 px, light",
  "390 px, dark",
  "768 px, light",
  "1440 px, light",
  "1440 px, dark",
];

export const siteUrl = inject("siteUrl");
export const paths = inject("pagePaths");
const pageUrl = (site: string, path: string): string => site + path.replace(/^[^#]+/, "$&/");
export const builderPaths = inject("builderPaths");
/** @param path of a page, with a fragment or without one */
export const urlOf = (path: string): string => pageUrl(siteUrl, path);

/** A site that is served. */
export interface ServedSite {
  /** Ends with a slash. */
  url: string;
  /** Absolute. */
  folder: string;
  /** The paths of its pages, without slashes at their ends. */
  paths: readonly string[];
}

/** The site that all tests share. */
export const sharedSite: ServedSite = { url: siteUrl, folder: inject("siteFolder"), paths };

/** Visits every page of a site in each view, two pages at a time. */
export async function visitAll(site: ServedSite, shown: readonly View[] = views): Promise<Visited[]> {
  const browser = await openBrowser();
  const pending = [...site.paths];
  const visitNext = (): Promise<Visited[]> => visit(browser, { pending, shown, url: site.url });
  try {
    const both = await Promise.all([visitNext(), visitNext()]);
    return both.flat();
  } finally {
    await browser.close();
  }
}

interface Visits {
  /** The paths of pages that are not visited yet. */
  pending: string[];
  shown: readonly View[];
  /** That of the site. */
  url: string;
}

async function visit(browser: Browser, { pending, shown, url: site }: Visits): Promise<Visited[]> {
  const page = await browser.newPage();
  const requests: string[] = [];
  page.on("request", (request) => requests.push(request.url()));
  await page.route(
    (url) => !url.href.startsWith(site),
    (route) => route.abort(),
  );
  const visited: Visited[] = [];
  for (let path = pending.shift(); path !== undefined; path = pending.shift()) {
    requests.length = 0;
    await page.goto(pageUrl(site, path));
    const found = await page.evaluate<Pick<Visited, "links" | "ids">>(readPage);
    visited.push({ path, ...found, problems: await inEachView(page, shown), requests: [...requests] });
  }
  return visited;
}

/** The links within a site that lead to no page, file or anchor. */
export function brokenLinks(pages: readonly Visited[], { url, folder }: ServedSite): string[] {
  const { origin, pathname: base } = new URL(url);
  const ids = new Map(pages.map((page) => [pageUrl(url, page.path), new Set(page.ids)]));
  const isResolved = (link: string): boolean => {
    const { pathname, hash } = new URL(link);
    const page = ids.get(origin + pathname);
    if (page !== undefined) return hash === "" || page.has(decodeURIComponent(hash.slice(1)));
    const file = join(folder, pathname.slice(base.length));
    return pathname.startsWith(base) && /\.\w+$/.test(pathname) && existsSync(file);
  };
  return pages.flatMap(({ path, links }) =>
    links
      .filter((link) => new URL(link).origin === origin && !isResolved(link))
      .map((link) => `${path}: ${link}`),
  );
}

/** The script of axe, for `addScriptTag`. */
export const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

async function inEachView(page: Page, shown: readonly View[]): Promise<Visited["problems"]> {
  const problems: Visited["problems"] = new Map();
  await page.addScriptTag({ path: axe });
  for (const width of widths) {
    await page.setViewportSize({ width, height: 900 });
    // Collapsed parts are closed on narrow screens and open on the wide one.
    if (width === 1440) await page.evaluate(showAll);
    for (const colorScheme of schemes) {
      if (!shown.includes(`${width} px, ${colorScheme}`)) continue;
      await page.emulateMedia({ colorScheme });
      // The page learns of it in its next frame. What does not follow at all is found below.
      await page.waitForFunction(hasTheme(colorScheme), undefined, { timeout: 5_000 }).catch(() => {});
      problems.set(
        `${width} px, ${colorScheme}`,
        await page.evaluate<string[]>(inspect(width === 768 ? ofSizes : rules[colorScheme])),
      );
    }
  }
  return problems;
}

const hasTheme = (scheme: Scheme): string => `document.documentElement.dataset.theme === "${scheme}"`;

// Text, because code in the browser has other types.
const readPage = `({
  links: [...document.querySelectorAll("a[href]")].map(({ href }) => href),
  ids: [...document.querySelectorAll("[id]")].map(({ id }) => id),
})`;

/** Shows what is collapsed, in another tab or behind the switch. */
const showAll = `{
  for (const details of document.querySelectorAll("details")) details.open = true;
  for (const requirements of document.querySelectorAll("#show-requirements")) requirements.checked = true;
  document.head.insertAdjacentHTML("beforeend", "<style>.tabs > .tabpanel { display: block !important }</style>");
}`;

const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
/** Rules of axe, by tag or by id: in the dark scheme those whose results depend on colors. */
const rules: Record<Scheme, string[]> = { light: tags, dark: ["color-contrast", "link-in-text-block"] };
/** Rules whose results depend on sizes. */
const ofSizes = ["target-size", "scrollable-region-focusable"];

/** An expression for the page: resolves with the accessibility problems of what `context` of axe selects. */
export const axeProblems = (context: object, runOnly = tags): string =>
  `axe.run(${JSON.stringify(context)}, { runOnly: ${JSON.stringify(runOnly)}, resultTypes: ["violations"] }).then(({ violations }) =>
    violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ": " + html.slice(0, 200))))`;

const inspect = (runOnly: string[]): string => `(async () => {
  const { scrollWidth, clientWidth, dataset } = document.documentElement;
  // The bar covers what scrolls beneath it, and an open menu what is below it, which axe takes for small targets.
  for (const above of document.querySelectorAll(".try-bar, .menu > ul")) above.style.setProperty("position", "static");
  const problems = await ${axeProblems({ include: ["html"] }, runOnly)};
  if (scrollWidth > clientWidth) problems.push("wider than the viewport: " + scrollWidth + " of " + clientWidth);
  if (dataset.theme !== (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) problems.push("theme: " + dataset.theme);
  return problems;
})()`;

/** How a page is opened. */
export interface PageOptions extends BrowserContextOptions {
  /** Runs before the scripts of each page. */
  script?: string;
}

/**
 * Opens a browser for the tests of a file.
 *
 * @returns a function that opens a page of the site, in a context of its own that ends with the test. An unhandled error of the page fails the test.
 */
export function inBrowser() {
  let browser: Browser;
  beforeAll(async () => {
    browser = await openBrowser();
  });
  afterAll(() => browser.close());
  return async (path: string, { script, ...options }: PageOptions = {}): Promise<Page> => {
    const context = await browser.newContext(options);
    if (script !== undefined) await context.addInitScript({ content: script });
    const page = await context.newPage();
    const errors: string[] = [];
    page.on("pageerror", ({ message }) => errors.push(message));
    onTestFinished(async () => {
      await context.close();
      expect(errors).toEqual([]);
    });
    await page.goto(urlOf(path));
    return page;
  };
}
