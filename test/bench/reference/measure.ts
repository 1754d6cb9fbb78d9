import { createRequire } from "node:module";
import type { Browser, Page } from "playwright-core";
import { publish } from "../publish.ts";

/** What a browser finds on one reference. */
export interface Findings {
  /** The text of all pages, everything expanded. */
  text: string;
  pages: number;
  /** Of the page that describes sendEmail, at the first visit. */
  kilobytes: number;
  requests: number;
  otherHosts: string[];
  height: { wide: number; narrow: number };
  /** Rules of axe that fail on that page, and how many elements. */
  axe: { rules: string[]; elements: number };
  /** Characters of text on that page without JavaScript. */
  withoutScripts: number;
}

export interface Options {
  /** The page of sendEmail. */
  send: string;
  /** Where screenshots are written, if anywhere. */
  screenshots?: string | undefined;
}

const widths = { wide: 1440, narrow: 390 } as const;
const axe = createRequire(import.meta.url).resolve("axe-core/axe.min.js");

/** Visits every page that links lead to, and looks at the page of sendEmail in detail. */
export async function measure(browser: Browser, folder: string, options: Options): Promise<Findings> {
  const { url, close } = await publish(folder);
  try {
    const first = await firstVisit(browser, url, options);
    const page = await browser.newPage({ viewport: { width: widths.wide, height: 900 } });
    const texts = await allTexts(page, url, options.send);
    await page.close();
    const withoutScripts = await plainLength(browser, url + options.send);
    return { ...first, text: texts.join("\n"), pages: texts.length, withoutScripts };
  } finally {
    await close();
  }
}

type FirstVisit = Omit<Findings, "text" | "pages" | "withoutScripts">;

async function firstVisit(
  browser: Browser,
  url: string,
  { send, screenshots }: Options,
): Promise<FirstVisit> {
  const page = await browser.newPage({ viewport: { width: widths.wide, height: 900 } });
  const session = await page.context().newCDPSession(page);
  await session.send("Network.enable");
  let bytes = 0;
  const requests: string[] = [];
  session.on("Network.loadingFinished", ({ encodedDataLength }) => (bytes += encodedDataLength));
  page.on("request", (request) => requests.push(request.url()));
  await page.goto(url + send, { waitUntil: "load" });
  await page.waitForTimeout(4_000);
  const [kilobytes, count] = [bytes / 1000, requests.filter((one) => one.startsWith("http")).length];
  const height = { wide: 0, narrow: 0 };
  for (const [name, width] of Object.entries(widths) as [keyof typeof widths, number][]) {
    await page.setViewportSize({ width, height: 900 });
    await page.waitForTimeout(500);
    if (screenshots !== undefined) await page.screenshot({ path: `${screenshots}-${width}.png` });
    height[name] = await page.evaluate<number>("document.documentElement.scrollHeight");
  }
  await page.setViewportSize({ width: widths.wide, height: 900 });
  await page.addScriptTag({ path: axe });
  const found = await page.evaluate<Findings["axe"]>(violations);
  await page.close();
  const hosts = requests.filter((one) => one.startsWith("http") && !one.startsWith(url));
  const otherHosts = [...new Set(hosts.map((one) => new URL(one).host))];
  return { kilobytes, requests: count, otherHosts, height, axe: found };
}

const violations = `axe.run({ runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"], resultTypes: ["violations"] })
  .then(({ violations }) => ({ rules: violations.map(({ id }) => id), elements: violations.flatMap(({ nodes }) => nodes).length }))`;

/** Text as a reader sees it after expanding all: scrolled through, because parts are rendered when they come into view. */
async function allTexts(page: Page, url: string, send: string): Promise<string[]> {
  const pending = [url, url + send];
  const seen = new Set<string>();
  const texts: string[] = [];
  for (let next = pending.shift(); next !== undefined; next = pending.shift()) {
    if (seen.has(next)) continue;
    seen.add(next);
    const response = await page.goto(next, { waitUntil: "load" });
    if (response !== null && !response.ok()) continue;
    texts.push(await expandedText(page));
    const links = await page.evaluate<string[]>(
      `[...document.querySelectorAll("a[href]")].map(({ href }) => href.split("#")[0])`,
    );
    pending.push(
      ...links.filter((link) => link.startsWith(url) && /(\/|\.html)$/.test(link) && !link.includes("redoc")),
    );
  }
  return texts;
}

async function expandedText(page: Page): Promise<string> {
  if ((await page.locator(".scalar-app, .scalar-api-reference").count()) === 0)
    return page.evaluate<string>(allText);
  await page.waitForTimeout(3_000);
  // The text of every step: expanding hides the tab that was shown before.
  const texts: string[] = [];
  for (let round = 0; round < 4; round += 1) {
    await page.evaluate(scrollThrough);
    await page.waitForTimeout(1_500);
    texts.push(await page.evaluate<string>(allText));
    await page.evaluate(expand);
    await page.waitForTimeout(2_000);
  }
  return texts.join("\n");
}

/** Also of what is collapsed or in another tab, with spaces between blocks. */
const allText = `(() => {
  const textOf = (node) => {
    if (node.nodeType === Node.TEXT_NODE) return node.data;
    if (node.nodeType !== Node.ELEMENT_NODE || /^(SCRIPT|STYLE|NOSCRIPT)$/.test(node.tagName)) return "";
    const text = [...node.childNodes].map(textOf).join("");
    return getComputedStyle(node).display === "inline" ? text : " " + text + " ";
  };
  return textOf(document.body);
})()`;
const scrollThrough = `(async () => {
  for (let y = 0; y < document.documentElement.scrollHeight; y += 700) {
    scrollTo(0, y);
    await new Promise((done) => setTimeout(done, 60));
  }
})()`;
/** Opens what is closed in the content, not in menus. */
const expand = `for (const button of document.querySelectorAll('main button[aria-expanded="false"], .references-rendered button[aria-expanded="false"]'))
  if (!button.hasAttribute("aria-haspopup")) button.click();`;

async function plainLength(browser: Browser, url: string): Promise<number> {
  const page = await browser.newPage({ javaScriptEnabled: false });
  await page.goto(url);
  const text = await page.locator("body").innerText();
  await page.close();
  return text.replaceAll(/\s+/g, " ").length;
}
