import fc from "fast-check";
import { expect, test } from "vitest";
import type { Change } from "../../scripts/diff/change.ts";
import type { Verdict } from "../../scripts/diff/comparison.ts";
import { diff, findChanges } from "../../scripts/diff/documents.ts";
import { pointerOf } from "../../scripts/document/json-pointer.ts";
import { readBundle } from "../../scripts/document/read-bundle.ts";
import { isNode, type Node, type Path } from "../../scripts/document/values.ts";
import {
  type EditMaker,
  editAt,
  type RandomEdit,
  type SchemaPlace,
  schemaPlaces,
  verdictFor,
} from "./random/edit.ts";
import { otherEdits } from "./random/other-edits.ts";
import { type SchemaAction, schemaActions } from "./random/schema-edits.ts";

// Properties of the comparison, for edits at random places.

const contract = (await readBundle()) as unknown as Node;

/** The edits of a schema. Inside a constraint, only the verdict of an editorial edit is known. */
const editsOf = (place: SchemaPlace): EditMaker[] =>
  schemaActions("any", 0).map((_, index) => (given, amount) => {
    const [title, change, request, response] = schemaActions(given, amount)[index] as SchemaAction;
    const isEditorial = request === "editorial";
    const verdict = isEditorial
      ? "editorial"
      : place.isConstraint
        ? undefined
        : verdictFor(place, request, response);
    return editAt(title, contract, place.path, change, verdict);
  });

/** A random one of the edits, with a random name and number. */
const oneOf = (makers: EditMaker[]): fc.Arbitrary<RandomEdit> =>
  fc
    .tuple(fc.constantFrom(...makers), fc.stringMatching(/^[a-z]{5,9}$/), fc.nat({ max: 40 }))
    .map(([make, name, number]) => make(name, number))
    .filter((edit) => edit !== undefined);

const canBeMade = (make: EditMaker): boolean => make("any", 0) !== undefined;
const schemaEdit = oneOf(schemaPlaces(contract).flatMap(editsOf).filter(canBeMade));
const otherEdit = oneOf(otherEdits(contract));
const edit = fc.oneof({ weight: 3, arbitrary: schemaEdit }, { weight: 1, arbitrary: otherEdit });

/** The heaviest verdict between two documents, and the kinds of all changes. */
function verdictOf(before: Node, after: Node): { verdict: Verdict | undefined; kinds: string[] } {
  const { differences } = diff(before, after);
  return { verdict: differences[0]?.verdict, kinds: differences.map(({ kind }) => kind) };
}

const check = (
  property: fc.IProperty<[RandomEdit]> | fc.IProperty<[RandomEdit, RandomEdit[]]>,
  runs: number,
) => fc.assert(property as fc.IProperty<unknown>, { numRuns: runs });

test("each edit is classified and has the expected verdict", () => {
  check(
    fc.property(edit, ({ title, apply, verdict: expected }) => {
      const { verdict, kinds } = verdictOf(contract, apply(contract));
      expect(kinds, title).not.toContain("unknown-keyword");
      if (expected === undefined) expect(["additive", "breaking"], title).toContain(verdict);
      else expect(verdict, title).toBe(expected);
    }),
    250,
  );
});

/** The end of a kind, and that of the opposite change. */
const opposites: Record<string, string> = {
  added: "removed",
  required: "optional",
  narrowed: "widened",
  raised: "lowered",
  closed: "opened",
};
const mirrored = (kind: string): string => {
  if (kind === "deprecated") return "deprecation-withdrawn";
  const plain = kind.replace(
    /^(request-)?(optional|required)-(property|parameter|body)-added$/,
    "$1$3-added",
  );
  const [from, to] = Object.entries(opposites).find(([one]) => plain.endsWith(`-${one}`)) ?? [];
  return from === undefined ? plain : `${plain.slice(0, -from.length)}${to}`;
};
const oneWay = (kind: string): string =>
  Object.values(opposites).some((end) => kind.endsWith(`-${end}`)) || kind === "deprecation-withdrawn"
    ? kind
    : mirrored(kind);
const described = ({ kind, path, document }: Change): string => {
  const isThere = kind.endsWith("-renamed");
  return `${oneWay(kind)} ${isThere ? "" : document} ${pointerOf(isThere ? path.slice(0, -1) : path)}`;
};
const flipped: Record<string, string> = { base: "revision", revision: "base" };

test("an edit and its reversal are reported at the same places with opposite kinds", () => {
  check(
    fc.property(edit, ({ title, apply }) => {
      const after = apply(contract);
      const there = findChanges(contract, after);
      const back = findChanges(after, contract);
      const places = (found: Change[]): string[] => found.map(described).map(withoutSide).sort();
      expect(places(back), title).toEqual(places(there));
      for (const one of there) {
        const pair = back.find((other) => withoutSide(described(other)) === withoutSide(described(one)));
        const isMoved = /-(added|removed)$/.test(one.kind);
        if (isMoved) expect(pair?.document, title).toBe(flipped[one.document]);
        if (isMoved || /-(narrowed|widened|required|optional)$/.test(one.kind))
          expect(pair?.kind, title).not.toBe(one.kind);
      }
    }),
    120,
  );
});

const withoutSide = (text: string): string => text.replace(/ (base|revision)? ?\//, " /");

/** The same value with the keys of its objects in another order. */
const shuffled = (value: unknown, seed: number): unknown => {
  if (Array.isArray(value)) return value.map((item) => shuffled(item, seed));
  if (!isNode(value)) return value;
  const rank = (key: string): number =>
    [...key].reduce((sum, one) => (sum * 31 + one.charCodeAt(0)) % 9973, seed);
  const keys = Object.keys(value).sort((one, other) => rank(one) - rank(other));
  return Object.fromEntries(keys.map((key) => [key, shuffled(value[key], seed)]));
};

test("the order of keys makes no difference", () => {
  fc.assert(
    fc.property(edit, fc.nat({ max: 9000 }), ({ title, apply }, seed) => {
      const after = apply(contract);
      const reordered = shuffled(after, seed) as Node;
      expect(findChanges(after, structuredClone(after)), title).toEqual([]);
      expect(findChanges(after, reordered), title).toEqual([]);
      const texts = (found: Change[]): string[] =>
        found.map(({ kind, document, path }) => `${kind} ${document} ${pointerOf(path)}`).sort();
      expect(texts(findChanges(contract, reordered)), title).toEqual(texts(findChanges(contract, after)));
    }),
    { numRuns: 25 },
  );
});

const breaking = edit.filter(({ verdict }) => verdict === "breaking");
const additive = edit.filter(({ verdict }) => verdict === "additive");

/** Whether two edits are independent: two edits of a node, or of a node in it, may undo each other. */
const isIndependent = (one: Path, other: Path): boolean => {
  const length = Math.min(one.length, other.length);
  // A table is edited as a property of the root.
  if (length === 0) return one.length !== other.length;
  return pointerOf(one.slice(0, length)) !== pointerOf(other.slice(0, length));
};

test("a breaking edit is still reported as breaking next to additive ones", () => {
  check(
    fc.property(breaking, fc.array(additive, { minLength: 1, maxLength: 4 }), (one, others) => {
      const independent = others.filter(({ path }) => isIndependent(path, one.path));
      const after = independent.reduce((document, { apply }) => apply(document), one.apply(contract));
      const { verdict } = verdictOf(contract, after);
      expect(verdict, [one, ...independent].map(({ title }) => title).join("; ")).toBe("breaking");
    }),
    120,
  );
});

test("more than 35 sorts of edits are generated", () => {
  const titles = fc.sample(edit, 600).map(({ title }) => title.split(" at /")[0]);
  expect(new Set(titles).size).toBeGreaterThan(35);
});
