import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { documentValidators } from "../../../contract/document.ts";
import {
  localParts,
  numbers,
  partsOf,
  tagNames,
  texts,
  times,
  urls,
} from "../../../contract/generated-cases/hostile-values.ts";
import { contrasted } from "../../../contract/text.ts";

const valuesOf = <Value>(arbitrary: fc.Arbitrary<Value[]>, seed = 1): Value[] =>
  fc.sample(arbitrary, { numRuns: 1, seed }).flat();

const lengthOf = (text: string): number => [...text].length;

describe("values that software on the way may change", () => {
  test.each([60, 128, 998])("texts have at most %d characters, some as many", (maxLength) => {
    const lengths = valuesOf(texts(maxLength)).map(lengthOf);
    expect(Math.max(...lengths)).toBe(maxLength);
    expect(lengths.filter((length) => length === maxLength).length).toBeGreaterThanOrEqual(3);
  });

  test("texts have each piece, whatever the seed, and no control characters", () => {
    for (const seed of [1, 2, 3]) {
      const all = valuesOf(texts(200), seed);
      for (const piece of ["O'Neil", "Zoe\u0308", "{{order}}", "\u{1f469}\u200d\u{1f373}", "bread, cake"])
        expect(all.some((text) => text.includes(piece))).toBe(true);
      expect(all.filter((text) => /[\p{Cc}\p{Zl}\p{Zp}]/u.test(text))).toEqual([]);
    }
  });

  test("the same seed leads to the same values, another one to others", () => {
    expect(valuesOf(texts(60))).toEqual(valuesOf(texts(60)));
    expect(valuesOf(texts(60))).not.toEqual(valuesOf(texts(60), 2));
  });

  test("names and addresses match the document", () => {
    const names = valuesOf(tagNames);
    expect(names).toEqual(expect.arrayContaining(["__proto__", "constructor", "order", "ORDER"]));
    expect(names.filter((name) => !documentValidators.isValid("MessageTagName", name))).toEqual([]);
    expect(valuesOf(localParts).length).toBeGreaterThan(5);
    expect(valuesOf(urls).filter((url) => !URL.canParse(url))).toEqual([]);
  });

  test("numbers survive JSON", () => {
    const all = valuesOf(numbers);
    expect(JSON.parse(JSON.stringify(all))).toEqual(all);
  });

  test("times are within the second, with other offsets and one to nine digits", () => {
    const at = Date.parse("2027-02-28T23:59:59Z");
    const all = valuesOf(times(at));
    expect(all.filter((time) => Math.floor(Date.parse(time) / 1000) * 1000 !== at)).toEqual([]);
    expect(all.map((time) => /\.(\d+)/.exec(time)?.[1]?.length)).toEqual([1, 2, 3, 4, 5, 6, 7, 8, 9]);
    expect(all.filter((time) => time.endsWith("-00:30"))).toHaveLength(1);
  });

  test("parts of a text are shorter, and overlap", () => {
    expect(partsOf("abcd")).toEqual(["ab", "bc", "cd"]);
    expect(partsOf("\u{1f382}x")).toEqual(["\u{1f382}", "x"]);
    expect(partsOf("a ")).toEqual(["a"]);
    expect(partsOf("a")).toEqual([]);
  });
});

describe("a value in a failure", () => {
  test.each([
    ["Zoe\u0308", "Zo\u00eb", '"Zoe\\u{308}"'],
    ["a\u200db", "ab", '"a\\u{200d}b"'],
    [undefined, "x", "absent"],
    [7, 8, "7"],
  ])("%j shows what cannot be seen", (value, other, expected) => {
    expect(contrasted(value, other)).toBe(expected);
  });

  test("shows the part of a long text around the difference", () => {
    const text = `${"a".repeat(100)}b${"c".repeat(100)}`;
    expect(contrasted(text, text.replace("b", "d"))).toBe(
      `..."${"a".repeat(12)}b${"c".repeat(23)}"... (201 characters)`,
    );
    const sent = text.replace("c", "x").replace(/c$/, "d");
    expect(contrasted(sent.replace(/[bd]/g, ""), sent)).toBe(
      `..."${"a".repeat(12)}x${"c".repeat(23)}"... (199 characters)`,
    );
    expect(contrasted(text.slice(0, 50), text)).toBe("its first 50 of 201 characters");
  });
});
