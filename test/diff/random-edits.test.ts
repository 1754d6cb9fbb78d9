import fc from "fast-check";
import { expect, test } from "vitest";
import { comparisonOf } from "../../scripts/diff/difference.ts";
import type { Found } from "../../scripts/diff/found.ts";
import { judged } from "../../scripts/diff/judge.ts";
import { ownPolicy, type Verdict } from "../../scripts/diff/policy.ts";
import { findDifferences } from "../../scripts/diff/root.ts";
import { pointerOf } from "../../scripts/document/json-pointer.ts";
import { readBundle } from "../../scripts/document/read-bundle.ts";
import { isNode, type Node, type Path } from "../../scripts/document/values.ts";
import { type EditMaker, editAt, type RandomEdit, verdictFor } from "./random/edit.ts";
import { otherEdits } from "./random/other-edits.ts";
import { type SchemaPlace, schemaPlaces } from "./random/places.ts";
import { type SchemaAction, schemaActions } from "./random/schema-edits.ts";

// Laws of the comparison, held for edits at random places. oasdiff is left out: it is held against labelled changes.

const contract = (await readBundle()) as unknown as Node;

/** The edits that may be made to a schema. Inside a rule, what an edit comes to is not labelled, unless it is of words. */
const editsOf = (place: SchemaPlace): EditMaker[] =>
  schemaActions("any", 0).map((_, index) => (given, amount) => {
    const { title, change, request, answer } = schemaActions(given, amount)[index] as SchemaAction;
    const isWords = request === "editorial";
    const verdict = isWords ? "editorial" : place.isRule ? undefined : verdictFor(place, request, answer);
    return editAt(title, contract, place.path, change, verdict);
  });

/** One edit of many, at random, with a random name and number. */
const oneOf = (makers: EditMaker[]): fc.Arbitrary<RandomEdit> =>
  fc
    .tuple(fc.constantFrom(...makers), fc.stringMatching(/^[a-z]{5,9}$/), fc.nat({ max: 40 }))
    .map(([make, name, number]) => make(name, number))
    .filter((edit) => edit !== undefined);

const canBeMade = (make: EditMaker): boolean => make("any", 0) !== undefined;
const schemaEdit = oneOf(schemaPlaces(contract).flatMap(editsOf).filter(canBeMade));
const otherEdit = oneOf(otherEdits(contract));
const edit = fc.oneof({ weight: 3, arbitrary: schemaEdit }, { weight: 1, arbitrary: otherEdit });

/** The weightiest verdict between two documents, and what was found. */
function verdictOf(before: Node, after: Node): { verdict: Verdict | undefined; kinds: string[] } {
  const found = findDifferences(before, after);
  const { differences } = comparisonOf(judged(found, [], { before, after, policy: ownPolicy() }));
  return { verdict: differences[0]?.verdict, kinds: differences.map(({ kind }) => kind) };
}

const holds = (
  property: fc.IProperty<[RandomEdit]> | fc.IProperty<[RandomEdit, RandomEdit[]]>,
  runs: number,
) => fc.assert(property as fc.IProperty<unknown>, { numRuns: runs });

test("no edit goes unclassified, and each has the verdict that it is due", () => {
  holds(
    fc.property(edit, ({ title, apply, verdict: due }) => {
      const { verdict, kinds } = verdictOf(contract, apply(contract));
      expect(kinds, title).not.toContain("keyword-unknown");
      if (due === undefined) expect(["allowed", "breaking"], title).toContain(verdict);
      else expect(verdict, title).toBe(due);
    }),
    250,
  );
});

/** What a difference is, seen from the other document. */
const words: Record<string, string> = {
  added: "removed",
  required: "optional",
  narrowed: "widened",
  raised: "lowered",
  closed: "opened",
};
const mirrored = (kind: string): string => {
  if (kind === "deprecated") return "deprecation-withdrawn";
  const plain = kind.replace(/^(request-)?(optional|required)-(field|parameter|body)-added$/, "$1$3-added");
  const [from, to] = Object.entries(words).find(([one]) => plain.endsWith(`-${one}`)) ?? [];
  return from === undefined ? plain : `${plain.slice(0, -from.length)}${to}`;
};
const oneWay = (kind: string): string =>
  Object.values(words).some((word) => kind.endsWith(`-${word}`)) || kind === "deprecation-withdrawn"
    ? kind
    : mirrored(kind);
const described = ({ kind, path, side }: Found): string => {
  const isThere = kind.endsWith("-renamed");
  return `${oneWay(kind)} ${isThere ? "" : side} ${pointerOf(isThere ? path.slice(0, -1) : path)}`;
};
const flipped: Record<string, string> = { old: "new", new: "old" };

test("an edit and its undoing are mirror images", () => {
  holds(
    fc.property(edit, ({ title, apply }) => {
      const after = apply(contract);
      const there = findDifferences(contract, after);
      const back = findDifferences(after, contract);
      const places = (found: Found[]): string[] => found.map(described).map(withoutSide).sort();
      expect(places(back), title).toEqual(places(there));
      for (const one of there) {
        const pair = back.find((other) => withoutSide(described(other)) === withoutSide(described(one)));
        const isMoved = /-(added|removed)$/.test(one.kind);
        if (isMoved) expect(pair?.side, title).toBe(flipped[one.side]);
        if (isMoved || /-(narrowed|widened|required|optional)$/.test(one.kind))
          expect(pair?.kind, title).not.toBe(one.kind);
      }
    }),
    120,
  );
});

const withoutSide = (text: string): string => text.replace(/ (old|new)? ?\//, " /");

/** The same value with the keys of its objects in another order. */
const shuffled = (value: unknown, seed: number): unknown => {
  if (Array.isArray(value)) return value.map((item) => shuffled(item, seed));
  if (!isNode(value)) return value;
  const rank = (key: string): number =>
    [...key].reduce((sum, one) => (sum * 31 + one.charCodeAt(0)) % 9973, seed);
  const keys = Object.keys(value).sort((one, other) => rank(one) - rank(other));
  return Object.fromEntries(keys.map((key) => [key, shuffled(value[key], seed)]));
};

test("a document differs nowhere from itself, whatever the order of its keys", () => {
  fc.assert(
    fc.property(edit, fc.nat({ max: 9000 }), ({ title, apply }, seed) => {
      const after = apply(contract);
      const turned = shuffled(after, seed) as Node;
      expect(findDifferences(after, structuredClone(after)), title).toEqual([]);
      expect(findDifferences(after, turned), title).toEqual([]);
      const texts = (found: Found[]): string[] =>
        found.map(({ kind, side, path }) => `${kind} ${side} ${pointerOf(path)}`).sort();
      expect(texts(findDifferences(contract, turned)), title).toEqual(
        texts(findDifferences(contract, after)),
      );
    }),
    { numRuns: 25 },
  );
});

const breaking = edit.filter(({ verdict }) => verdict === "breaking");
const allowed = edit.filter(({ verdict }) => verdict === "allowed");

/** Whether two edits leave each other alone: of one node, or of what is in it, the one may undo or remove the other. */
const isElsewhere = (one: Path, other: Path): boolean => {
  const length = Math.min(one.length, other.length);
  // Tables are edited as a part of the root.
  if (length === 0) return one.length !== other.length;
  return pointerOf(one.slice(0, length)) !== pointerOf(other.slice(0, length));
};

test("what breaks still breaks in the company of anything that is allowed", () => {
  holds(
    fc.property(breaking, fc.array(allowed, { minLength: 1, maxLength: 4 }), (one, others) => {
      const company = others.filter(({ path }) => isElsewhere(path, one.path));
      const after = company.reduce((document, { apply }) => apply(document), one.apply(contract));
      const { verdict } = verdictOf(contract, after);
      expect(verdict, [one, ...company].map(({ title }) => title).join("; ")).toBe("breaking");
    }),
    120,
  );
});

test("all sorts of edits are made", () => {
  const titles = fc.sample(edit, 600).map(({ title }) => title.split(" at /")[0]);
  expect(new Set(titles).size).toBeGreaterThan(35);
});
