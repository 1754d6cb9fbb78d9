import { describe, expect, test } from "vitest";
import { limits } from "../../../generated/limits.ts";
import bundle from "../../../generated/openapi.json" with { type: "json" };
import { pages as all, type Page } from "./pages.ts";

// A number of the API stands in a guide with a mark, `100<!-- limit: batchMessages -->`, so that it cannot grow old there.

// The changelog tells what was, and that does not change.
const pages = all.filter(({ name }) => name !== "docs/changelog.md");

const named: Readonly<Record<string, number>> = limits;
const rows: Readonly<Record<string, { unit: string }>> = bundle["x-limits"];

interface Place {
  page: string;
  found: string;
}

const places = ({ name, text }: Page, pattern: RegExp): Place[] =>
  [...text.matchAll(pattern)].map(([found]) => ({ page: name, found }));

/** A number as people write it: 39,146,840 or 39 146 840. */
const numberIn = (number: string): number => Number(number.replaceAll(/[, ]/g, ""));

/** Blocks of code have numbers that programs need as they are. */
const withoutBlocks = (page: Page): Page => ({
  ...page,
  text: page.text.replaceAll(/^```[\s\S]*?^```$/gm, ""),
});

/** The words that can stand for a unit. */
function wordsFor(unit: string): string[] {
  const [first = ""] = unit.split(" ");
  return first === "megabytes" ? [first, "MB"] : [first, first.replace(/e?s$/, "")];
}

describe("numbers of the API", () => {
  test.for(pages)("$name: each mark has before it what the contract says", (page) => {
    const wrong = places(page, /[^<>\n]{0,20}<!-- limit:.*?-->/g).filter(({ found }) => {
      const [, number = "", key = ""] = /(\d[\d, ]*)<!-- limit: (\w+) -->$/.exec(found) ?? [];
      return number === "" || named[key] !== numberIn(number);
    });
    expect(wrong).toEqual([]);
  });

  test.for(pages)("$name: no number with the unit of a limit stands without a mark", (page) => {
    const unmarked = Object.entries(rows).flatMap(([key, { unit }]) =>
      wordsFor(unit).flatMap((word) =>
        places(withoutBlocks(page), new RegExp(`(?<![\\d,.])\\d[\\d,]*[ -]${word}\\b`, "g"))
          .filter(({ found }) => Number.parseInt(found.replaceAll(",", ""), 10) === named[key])
          .map((place) => ({ ...place, mark: key })),
      ),
    );
    expect(unmarked).toEqual([]);
  });
});
