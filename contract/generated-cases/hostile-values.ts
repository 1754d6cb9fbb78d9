import fc from "fast-check";
import { document, documentValidators } from "../document.ts";

/** Pieces of text that software between a request and a response is known to change. */
const pieces = [
  // What HTML, SQL, CSV, templates, URLs and shells give a meaning.
  ..."Tom & <b>Jerry</b>|O'Neil's \"shop\"|&amp; &#39;|bread, cake; tea|50% %41 %2B %s".split("|"),
  ...[
    "{{order}} {{name}} {name}",
    "$$ $& $1 ${name}",
    "C:\\new\\\\table",
    "`id` #1 *b* _i_ ~",
    "two  blanks",
  ],
  // One character in both normal forms, and characters that compatibility forms or a change of case replace.
  ...["Zo\u00eb", "Zoe\u0308", "\u212b \ufb01 \uff21 \u00bd", "stra\u00dfe \u0130 \u0131"],
  // From right to left, and characters that cannot be seen.
  ...[
    "\u05e9\u05dc\u05d5\u05dd",
    "\u0645\u0631\u062d\u0628\u0627 \u200f(1)\u200e",
    "x\u200dy\u200cz",
    "\u2764\ufe0f",
  ],
  // Beyond the basic plane.
  ...["\u{1f382}", "\u{1f469}\u200d\u{1f373}", "\u{1d49c}\u{20bb7}"],
];

/** Whole texts that read as something else: another type, nothing, a formula, a text to trim or to capitalize. */
const wholes =
  "0|007|1e3|+1|-1|1.50|true|false|null|Null|undefined|NaN|2027-01-31|=1+1|@x|[]|{}|None|McDonald van der Berg| at both ends ".split(
    "|",
  );

/** Letters of one, two and four bytes. */
const letters = ["abcxyzABC", "\u00e9\u00df\u05d0\u0436", "\u{1f382}\u{1d49c}\u{20bb7}"];

const length = (text: string): number => [...text].length;

/** Joins texts as long as the result is within the limit. */
function packed(texts: readonly string[], maxLength: number): string[] {
  const all: string[] = [];
  for (const text of texts) {
    const joined = [all.pop() ?? [], text].flat().join(" ");
    all.push(...(length(joined) <= maxLength ? [joined] : [joined.slice(0, -text.length - 1), text]));
  }
  return all;
}

const shuffled = <Value>(values: readonly Value[]) =>
  fc.shuffledSubarray([...values], { minLength: values.length });

/** Any text that has no control character and no line break. */
const anyText = (maxLength: number) =>
  fc
    .string({ unit: "grapheme", minLength: 1, maxLength: Math.floor(maxLength / 4) })
    .filter((text) => text.trim() !== "" && !/[\p{Cc}\p{Zl}\p{Zp}]/u.test(text));

/** Values of one kind. The same seed leads to the same values. */
export const sampleOf = <Value>(arbitrary: fc.Arbitrary<Value>, seed: number): Value =>
  fc.sample(arbitrary, { numRuns: 1, seed })[0] as Value;

/** Texts of at most so many characters. */
export const texts = (maxLength: number) =>
  fc.record({
    /** All pieces, in as few texts as possible. */
    mixed: shuffled(pieces).map((some) => packed(some, maxLength)),
    longest: fc.tuple(
      ...letters.map((some) =>
        fc.string({ unit: fc.constantFrom(...some), minLength: maxLength, maxLength, size: "max" }),
      ),
    ),
    any: fc.array(anyText(maxLength), { minLength: 2, maxLength: 2 }),
    wholes: shuffled(wholes),
  });

/** Names that differ in case alone, that objects inherit, and others that match the pattern in the document. */
export const tagNames = fc
  .array(fc.stringMatching(new RegExp(String(document.components?.schemas?.MessageTagName?.pattern))), {
    minLength: 5,
    maxLength: 5,
  })
  .map((some) => [
    ...["order", "ORDER", "0", "1e3", "null", "length", "a.b", "a:b", "-", "_"],
    ...Object.getOwnPropertyNames(Object.prototype),
    ...some.map((name) => name.slice(0, 32)),
  ])
  .map((names) => [...new Set(names)].filter((name) => name !== "" && isValid("MessageTagName", name)));

const isValid = (component: string, value: unknown): boolean => documentValidators.isValid(component, value);

/** What local parts of email addresses may have beside letters, digits and dots; the first has all of it. */
export const localParts = fc.constant(
  ["a+%41/'&?#b", "a+b", "a%41b", "a%2bb", "a/b", "o'neil", "a&b=c", "a?b#c", "_!$*^`{|}~-"].filter((local) =>
    isValid("EmailAddress", `${local}@example.com`),
  ),
);

/** Numbers at the edges of integers and doubles, and others. */
export const numbers = fc
  .array(fc.double({ noNaN: true, noDefaultInfinity: true }), { minLength: 3, maxLength: 3 })
  .map((some) => [
    ...[0.1 + 0.2, 2 ** 31, -(2 ** 31) - 1, Number.MAX_SAFE_INTEGER, Number.MIN_SAFE_INTEGER, 0],
    ...[1e-9, 0.123456789, -0.5, 1e21, Number.MAX_VALUE, Number.MIN_VALUE],
    // JSON has no negative zero.
    ...some.map((value) => value + 0),
  ]);

const day = (date: Date): string => date.toISOString().slice(0, 10);

/** Dates at the edges of years, leap days and epochs, and others. */
export const dates = fc
  .array(fc.date({ min: new Date("0001-01-01"), max: new Date("9999-12-31"), noInvalidDate: true }), {
    minLength: 3,
    maxLength: 3,
  })
  .map((some) => [
    ..."1969-12-31 0001-01-01 9999-12-31 0044-03-15 2000-02-29 1600-02-29 1970-01-01 1900-03-01 2038-01-20".split(
      " ",
    ),
    ...some.map(day),
  ]);

export const urls = fc
  .tuple(fc.webUrl({ withQueryParameters: true, withFragments: true }), fc.webUrl())
  .map((some) => [
    ..."https://Example.com https://example.com/a/../b https://example.com/?q=a+b%20c&d='e'#F http://example.com:80/%7ez".split(
      " ",
    ),
    ...some,
  ]);

const offsets = ["-00:30", "+05:45", "-03:30", "+00:30", "+14:00", "-12:00", "+12:45", "-09:30", "-00:45"];

/** The moments of this second (in milliseconds since 1970) with one to nine digits of a fraction, at other offsets. */
export const times = (at: number) =>
  fc.tuple(shuffled(offsets), fc.nat({ max: 999_999_998 })).map(([some, fraction]) =>
    some.map((offset, index) => {
      const [hours = 0, minutes = 0] = offset.slice(1).split(":").map(Number);
      const shift = (offset.startsWith("-") ? -1 : 1) * (hours * 60 + minutes) * 60_000;
      const digits =
        index === 6
          ? "9999999"
          : String(fraction)
              .padStart(9, "0")
              .slice(0, index + 1);
      return `${new Date(at + shift).toISOString().slice(0, 19)}.${digits}${offset}`;
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
