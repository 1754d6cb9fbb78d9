import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { openBrowser } from "../../sandbox/pages/browser.ts";
import { paths, urlOf } from "./visit.ts";

/** What a page shows, also without scripts. */
export interface Content {
  text: string;
  code: string[];
  /** The fields, parameters and headers, each without what is inside it. Requests mark what is required, responses what is optional. */
  fields: { name: string; presence: "required" | "optional" | ""; text: string }[];
  links: string[];
}

/** Reads every page without running its scripts. */
export async function readContents(): Promise<Map<string, Content>> {
  const readPage = await readFile(join(import.meta.dirname, "read-page.js"), "utf8");
  const browser = await openBrowser();
  try {
    const page = await browser.newPage({ javaScriptEnabled: false });
    const pages = new Map<string, Content>();
    for (const path of paths) {
      await page.goto(urlOf(path), { waitUntil: "domcontentloaded" });
      const { text, fields, ...rest } = await page.evaluate<Content>(readPage);
      const read = fields.map((field) => ({ ...field, text: plain(field.text) }));
      pages.set(path, { ...rest, text: plain(text), fields: read });
    }
    return pages;
  } finally {
    await browser.close();
  }
}

/** Text without Markdown syntax, with straight quotes and three dots. */
export const plain = (text: string): string =>
  text
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/^- |[`*]/gm, "")
    .replaceAll(/[“”]/g, '"')
    .replaceAll(/[‘’]/g, "'")
    .replaceAll("…", "...")
    .replaceAll(/\s+/g, " ")
    .trim();
