import fc from "fast-check";
import { document, documentValidators } from "../document.ts";
import { defaultSequences } from "../engine/settings.ts";
import type { Tester } from "../engine/tester.ts";
import known from "./hostile-values.json" with { type: "json" };

// Values that software between a request and a response is known to change, from hostile-values.json, each with
// others that the document allows. The texts there: `pieces` of longer ones; `wholes`, which read as another type, as
// nothing or as a formula; and `letters` of one, two and four bytes.

/** Values for the seed of the run. */
export function sampled<Value>({ settings }: Tester, arbitrary: fc.Arbitrary<readonly Value[]>) {
  const { seed } = { ...defaultSequences(settings), ...settings.sequences };
  return fc.sample(arbitrary, { numRuns: 1, seed })[0] ?? [];
}

const shuffled = <Value>(values: readonly Value[]) =>
  fc.shuffledSubarray([...values], { minLength: values.length });

const some = <Value>(arbitrary: fc.Arbitrary<Value>, length = 1) =>
  fc.array(arbitrary, { minLength: length, maxLength: length });

/** Joins texts as long as the result is within the limit. */
const packed = (texts: readonly string[], maxLength: number): string[] => {
  const all = [""];
  for (const text of texts) {
    const joined = `${all.at(-1)} ${text}`.trim();
    if ([...joined].length <= maxLength) all.splice(-1, 1, joined);
    else all.push(text);
  }
  return all;
};

/** Any text without control characters and line breaks. */
const anyText = (maxLength: number) =>
  fc
    .string({ unit: "grapheme", minLength: 1, maxLength: Math.floor(maxLength / 4) })
    .filter((text) => text.trim() !== "" && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text));

/** Without those that a mail client decodes. */
export const { pieces: mailPieces } = known;

/** Texts of at most so many characters: all pieces in as few as possible, three of the greatest length, any, and wholes. */
export const texts = (
  maxLength: number,
  pieces: readonly string[] = [...known.pieces, ...known.encodedWords],
): fc.Arbitrary<string[]> =>
  fc
    .tuple(
      shuffled(pieces).map((all) => packed(all, maxLength)),
      fc.tuple(
        ...known.letters.map((letters) =>
          fc.string({ unit: fc.constantFrom(...letters), minLength: maxLength, maxLength, size: "max" }),
        ),
      ),
      some(anyText(maxLength), 2),
      shuffled(known.wholes),
    )
    .map((all) => all.flat());

/** Among them two that differ in case alone, those that objects inherit, and a long one. */
export const tagNames: fc.Arbitrary<string[]> = some(
  fc.stringMatching(new RegExp(String(document.components?.schemas?.MessageTagName?.pattern))),
  3,
).map((names) => {
  const short = names.map((name) => name.slice(0, 32)).filter(Boolean);
  const all = new Set([...known.tagNames, ...Object.getOwnPropertyNames(Object.prototype), ...short]);
  all.add("long-".repeat(24));
  return [...all].filter((name) => documentValidators.isValid("MessageTagName", name));
});

/** What email addresses may have in front of the @. */
export const localParts: fc.Arbitrary<string[]> = fc.constant(
  known.localParts.filter((local) => documentValidators.isValid("EmailAddress", `${local}@example.com`)),
);

/** Characters that file systems forbid may be replaced. */
export const { fileNames } = known;

export const numbers: fc.Arbitrary<number[]> = some(fc.double({ noNaN: true, noDefaultInfinity: true })).map(
  // JSON has no negative zero.
  (others) => [...known.numbers, ...others.map((value) => value + 0)],
);

export const dates: fc.Arbitrary<string[]> = some(
  fc.date({ min: new Date("0001-01-01"), max: new Date("9999-12-31"), noInvalidDate: true }),
).map((others) => [...known.dates, ...others.map((date) => date.toISOString().slice(0, 10))]);

const part = anyText(24).map((text) => encodeURI(text).replaceAll("#", "%23"));
// `fc.webUrl` makes a table of all characters first, which takes most of a second.
const url = fc.tuple(fc.webAuthority(), part, part).map(([host, a, b]) => `https://${host}/${a}?${b}#${a}`);
export const urls: fc.Arbitrary<string[]> = some(url, 3).map((others) => [
  ...known.urls,
  `https://example.com/${"a".repeat(2_100)}`,
  ...others,
]);

/** The moments of this second (in milliseconds since 1970) with one to nine digits of a fraction, at other offsets. */
export const times = (at: number): fc.Arbitrary<string[]> =>
  shuffled(known.offsets).map((offsets) =>
    offsets.map((offset, index) => {
      const shift = Date.parse(`1970-01-01T${offset.slice(1)}Z`) * (offset.startsWith("-") ? -1 : 1);
      return `${new Date(at + shift).toISOString().slice(0, 19)}${known.fractions[index]}${offset}`;
    }),
  );

/** Shorter texts within a text: its beginning, middle and end. */
export function partsOf(text: string): string[] {
  const characters = [...text];
  const size = Math.ceil(characters.length / 2);
  const rest = characters.length - size;
  return [...new Set([0, Math.floor(rest / 2), rest])]
    .map((start) => characters.slice(start, start + size).join(""))
    .filter((part) => part !== text && part.trim() !== "");
}
