import { createRequire } from "node:module";
import type { Browser, Page } from "playwright-core";
import { inject } from "vitest";
import { openBrowser } from "../../sandbox/pages/browser.ts";

/** What a reader finds on a page. */
export interface Visited {
  address: string;
  /** Where its links lead, whole. */
  links: string[];
  /** What links can lead to on it. */
  ids: string[];
  /** What the browser asked for while it showed the page. */
  asked: string[];
  /** What is wrong with it, by view. */
  wrong: Record<View, string[]>;
}

const views = {
  light: { colorScheme: "light", width: 1280 },
  dark: { colorScheme: "dark", width: 1280 },
  narrow: { colorScheme: "light", width: 390 },
} as const;
type View = keyof typeof views;

export const siteUrl = inject("siteUrl");
export const addresses = inject("pagePaths");
export const urlOf = (address: string): string => `${siteUrl}${address && `${address}/`}`;

/** Shows every page in a browser, in each view, two at a time. */
export async function visitAll(): Promise<Visited[]> {
  const browser = await openBrowser();
  const left = [...addresses];
  try {
    const both = await Promise.all([visit(browser, left), visit(browser, left)]);
    return both.flat();
  } finally {
    await browser.close();
  }
}

async function visit(browser: Browser, left: string[]): Promise<Visited[]> {
  const page = await browser.newPage();
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.route(
    (url) => !url.href.startsWith(siteUrl),
    (route) => route.abort(),
  );
  const visited: Visited[] = [];
  for (let address = left.shift(); address !== undefined; address = left.shift()) {
    asked.length = 0;
    await page.goto(urlOf(address));
    const found = await page.evaluate<Pick<Visited, "links" | "ids">>(reading);
    visited.push({ address, ...found, wrong: await inEachView(page, address), asked: [...asked] });
  }
  return visited;
}

const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

async function inEachView(page: Page, address: string): Promise<Visited["wrong"]> {
  const wrong: Visited["wrong"] = { light: [], dark: [], narrow: [] };
  await page.addScriptTag({ path: axe });
  for (const view of ["light", "dark", "narrow"] as const) {
    const { colorScheme, width } = views[view];
    await page.emulateMedia({ colorScheme });
    await page.setViewportSize({ width, height: 900 });
    wrong[view] = await page.evaluate<string[]>(looking(rules[view], address));
  }
  return wrong;
}

// As text: what runs in the browser has other types around it than these files.
const reading = `({
  links: [...document.querySelectorAll("a[href]")].map(({ href }) => href),
  ids: [...document.querySelectorAll("[id]")].map(({ id }) => id),
})`;

const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"];
const contrast = "color-contrast";

/**
 * What axe looks for in each view, everything once at least. The themes differ in nothing but colours, and no colour
 * goes by the width: looking twice would double the time, and find nothing else.
 */
const rules: Record<View, object> = {
  light: { runOnly: tags },
  dark: { runOnly: { type: "rule", values: [contrast] } },
  narrow: { runOnly: tags, rules: { [contrast]: { enabled: false } } },
};

/** The list of pages is the same on all of them. It is looked at where it has the most to show, and on the first page. */
const lists: readonly string[] = ["", "operations/send-email"];

const looking = (options: object, address: string): string => `(async () => {
  const { scrollWidth, clientWidth, dataset } = document.documentElement;
  const { violations } = await axe.run({ exclude: ${lists.includes(address) ? "[]" : '["nav.sidebar"]'} }, { ...${JSON.stringify(options)}, resultTypes: ["violations"] });
  const wrong = violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => id + ": " + html.slice(0, 200)));
  if (scrollWidth > clientWidth) wrong.push("wider than the screen: " + scrollWidth + " of " + clientWidth);
  if (dataset.theme !== (matchMedia("(prefers-color-scheme: dark)").matches ? "dark" : "light")) wrong.push("theme: " + dataset.theme);
  return wrong;
})()`;
