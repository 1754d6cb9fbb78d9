import { describe, expect, test } from "vitest";
import { wrapped } from "../../lib/text.ts";

const word = "x".repeat(100);

describe("text is broken", () => {
  test("between words, with later lines indented", () => {
    const text = "one ".repeat(40).trim();
    const [first = "", second = "", ...others] = wrapped(text, "  ").split("\n");
    expect([first.length, second.length, others.length]).toEqual([79, 77, 1]);
    expect(second).toMatch(/^ {2}one/);
    expect(wrapped(text, "  ").replaceAll(/\s+/g, " ")).toBe(text);
  });

  test("within a word longer than a line", () => {
    expect(wrapped(`a ${word} b`)).toBe(`a ${"x".repeat(78)}\n${"x".repeat(22)} b`);
  });

  test("around such a word if words stay whole", () => {
    expect(wrapped(`a ${word} b`, "", { wholeWords: true })).toBe(`a\n${word}\nb`);
    expect(wrapped(`  ${word}`, "  ", { wholeWords: true })).toBe(`  ${word}`);
  });
});

test("a command in backticks stays on one line, a long text in backticks does not", () => {
  const text = `${"word ".repeat(14)}\`email-api-contract contract doctor\` and more`;
  expect(wrapped(text)).toBe(`${"word ".repeat(14).trim()}\n\`email-api-contract contract doctor\` and more`);
  const long = `\`${"word ".repeat(30)}\``;
  expect(wrapped(long).split("\n")[0]).toBe(`\`${"word ".repeat(15)}word`);
});
