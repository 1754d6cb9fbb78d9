import { describe, expect, test } from "vitest";
import { limits } from "../../../generated/limits.ts";
import bundle from "../../../generated/openapi.json" with { type: "json" };
import { pages as all, type Page } from "./pages.ts";

// A number of the API in a guide is followed by the name of its limit, `100<!-- limit: batchMessages -->`, and must be current.

// The changelog has the numbers of earlier releases.
const pages = all.filter(({ name }) => name !== "docs/changelog.md");

const named: Readonly<Record<string, number>> = limits;
const rows: Readonly<Record<string, { unit: string }>> = bundle["x-limits"];

interface Match {
  page: string;
  found: string;
}

const matches = ({ name, text }: Page, pattern: RegExp): Match[] =>
  [...text.matchAll(pattern)].map(([found]) => ({ page: name, found }));

/** Parses 39,146,840 or 39 146 840. */
const numberIn = (number: string): number => Number(number.replaceAll(/[, ]/g, ""));

/** Code blocks have numbers without comments. */
const withoutBlocks = (page: Page): Page => ({
  ...page,
  text: page.text.replaceAll(/^```[\s\S]*?^```$/gm, ""),
});

/** The words for a unit. */
function wordsFor(unit: string): string[] {
  const [first = ""] = unit.split(" ");
  return first === "megabytes" ? [first, "MB"] : [first, first.replace(/e?s$/, "")];
}

describe("numbers of the API", () => {
  test.for(pages)("$name: each number is the limit that its comment names", (page) => {
    const outdated = matches(page, /[^<>\n]{0,20}<!-- limit:.*?-->/g).filter(({ found }) => {
      const [, number = "", key = ""] = /(\d[\d, ]*)<!-- limit: (\w+) -->$/.exec(found) ?? [];
      return number === "" || named[key] !== numberIn(number);
    });
    expect(outdated).toEqual([]);
  });

  test.for(pages)("$name: no limit is without a comment", (page) => {
    const uncommented = Object.entries(rows).flatMap(([key, { unit }]) =>
      wordsFor(unit).flatMap((word) =>
        matches(withoutBlocks(page), new RegExp(`(?<![\\d,.])\\d[\\d,]*[ -]${word}\\b`, "g"))
          .filter(({ found }) => Number.parseInt(found.replaceAll(",", ""), 10) === named[key])
          .map((match) => ({ ...match, limit: key })),
      ),
    );
    expect(uncommented).toEqual([]);
  });
});
