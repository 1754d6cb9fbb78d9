import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { openBrowser } from "../../sandbox/pages/browser.ts";
import type { Fact, Part } from "./facts/fact.ts";
import { plain, wholeWords } from "./facts/text.ts";
import { paths, urlOf } from "./visit.ts";

/** The content of a section of a page, without its subsections. */
export interface Section extends Record<Exclude<Part, "code">, string> {
  /** Headings, then names of fields, variants or examples. A table row is named by its first cell: `| sendEmail`. */
  section: string[];
  code: string[];
}

/** The sections of every page, by its path. */
export type Sections = ReadonlyMap<string, readonly Section[]>;

/** Reads every page without running its scripts. */
export async function readSections(): Promise<Sections> {
  const readPage = await readFile(join(import.meta.dirname, "read-page.js"), "utf8");
  const browser = await openBrowser();
  try {
    const page = await browser.newPage({ javaScriptEnabled: false });
    const pages: [string, Section[]][] = [];
    for (const path of paths) {
      await page.goto(urlOf(path), { waitUntil: "domcontentloaded" });
      pages.push([path, (await page.evaluate<Section[]>(readPage)).map(normalized)]);
    }
    return new Map(pages);
  } finally {
    await browser.close();
  }
}

const normalized = (one: Section): Section => ({
  section: one.section.map(plain),
  text: plain(one.text),
  type: plain(one.type),
  small: plain(one.small),
  drawn: plain(one.drawn),
  links: one.links,
  code: one.code,
});

/** The facts that are not in their sections. */
export function missingFacts(facts: readonly Fact[], sections: Sections): Fact[] {
  const byKey = new Map(
    [...sections].flatMap(([page, found]) => [...Map.groupBy(found, ({ section }) => key(page, section))]),
  );
  return facts.filter((fact) => {
    const found = byKey.get(key(fact.page, fact.section.map(plain))) ?? [];
    if (fact.text === "") return found.length > 0;
    const isShown = found.some((section) => contains(section, fact));
    return found.length === 0 || isShown === (fact.absent === true);
  });
}

const key = (page: string, section: readonly string[]): string => JSON.stringify([page, ...section]);

function contains(section: Section, { part, text }: Fact): boolean {
  if (part === "code") return section.code.some((code) => withoutTabs(code) === withoutTabs(text));
  return wholeWords(plain(text)).test(section[part]);
}

/** Pages show a tab as two spaces. */
const withoutTabs = (code: string): string => code.trim().replaceAll("\t", "  ");
