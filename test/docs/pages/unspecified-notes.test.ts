import { expect, test } from "vitest";
import { markUnspecified } from "../../../scripts/docs/text/requirement-notes.ts";

const note = (text: string, kind = ""): string => `<span class="unspecified-note${kind}">${text}</span>`;

test.each([
  ["a sentence of a paragraph", "The subject. ", "The response to an empty one is unspecified.", ""],
  ["one before others", "", "Its fields are unspecified.", " Look up the message."],
  ["one with code that has a dot", "A name. ", "The form of `attachments.0.path` is unspecified.", ""],
  [
    "one in a cell",
    "| a | Size. ",
    "Whether it counts is unspecified.",
    "<br><small>Unspecified: x</small> |",
  ],
  ["one in a list", "- First. ", "Whether it may be empty is unspecified.", "\n- Second."],
])("a sentence on what is unspecified is marked: %s", (_, before, sentence, after) => {
  expect(markUnspecified(`${before}${sentence}${after}`)).toBe(`${before}${note(sentence)}${after}`);
});

test("a sentence that is a whole paragraph is marked as one", () => {
  const sentence = "Its values are unspecified.";
  expect(markUnspecified(`First.\n\n  ${sentence}\n\nLast.`)).toBe(
    `First.\n\n  ${note(sentence, " whole")}\n\nLast.`,
  );
});

test.each([
  "```json\nThe type is unspecified.\n```",
  '<small><span class="open">Unspecified: [OPEN-1](site:unspecified#OPEN-1)</span></small>',
  "Read [what is open](site:unspecified).\nOther text.",
  "## Unspecified behavior",
  "The account. The fields are unspecified.",
])("code, links, headings, and what an object has no other words for, stay as they are: %j", (text) => {
  expect(markUnspecified(text)).toBe(text);
});
