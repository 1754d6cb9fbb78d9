import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { openBrowser } from "../../sandbox/pages/browser.ts";
import type { Fact, Part } from "./facts/fact.ts";
import { addresses, urlOf } from "./visit.ts";

/** A place on a page, and what stands there, without the places within it. */
export interface Place extends Record<Exclude<Part, "code">, string> {
  /**
   * How a reader gets there: headings, then names of fields, of variants, of examples. A row of a table is called after
   * its first cell, `| sendEmail`.
   */
  trail: string[];
  /** Blocks of code. */
  code: string[];
}

/** The places of every page, by address. */
export type Places = ReadonlyMap<string, readonly Place[]>;

/** Reads every page as it is without scripts. */
export async function readPlaces(): Promise<Places> {
  const reading = await readFile(join(import.meta.dirname, "read-page.js"), "utf8");
  const browser = await openBrowser();
  try {
    const page = await browser.newPage({ javaScriptEnabled: false });
    const read: [string, Place[]][] = [];
    for (const address of addresses) {
      await page.goto(urlOf(address), { waitUntil: "domcontentloaded" });
      read.push([address, (await page.evaluate<Place[]>(reading)).map(inPlainWords)]);
    }
    return new Map(read);
  } finally {
    await browser.close();
  }
}

const inPlainWords = (place: Place): Place => ({
  trail: place.trail.map(plain),
  text: plain(place.text),
  type: plain(place.type),
  small: plain(place.small),
  drawn: plain(place.drawn),
  links: place.links,
  code: place.code,
});

/** Text without what Markdown marks it with, and with the quotes and dots of a typist. */
export const plain = (text: string): string =>
  text
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replaceAll(/[`*]/g, "")
    .replaceAll(/[“”]/g, '"')
    .replaceAll(/[‘’]/g, "'")
    .replaceAll("…", "...")
    .replaceAll(/\s+/g, " ")
    .trim();

/** The facts that do not stand where a reader looks for them. */
export function lostFacts(facts: readonly Fact[], places: Places): Fact[] {
  const trails = new Map(
    [...places].flatMap(([page, found]) => [...Map.groupBy(found, ({ trail }) => key(page, trail))]),
  );
  return facts.filter((fact) => {
    const there = trails.get(key(fact.page, fact.trail.map(plain))) ?? [];
    if (fact.text === "") return there.length > 0;
    const stands = there.some((place) => holds(place, fact));
    return there.length === 0 || stands === (fact.absent === true);
  });
}

const key = (page: string, trail: readonly string[]): string => JSON.stringify([page, ...trail]);

function holds(place: Place, { part, text }: Fact): boolean {
  if (part === "code") return place.code.some((code) => code.trim() === text.trim());
  return asWhole(plain(text)).test(place[part]);
}

/** The text, not as a part of a longer word or number, in small or capital letters. */
function asWhole(text: string): RegExp {
  const [before, after] = [/^\w/.test(text) ? "(?<![\\w-]|\\d,)" : "", /\w$/.test(text) ? "(?![\\w-])" : ""];
  return new RegExp(`${before}${text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&")}${after}`, "i");
}
