import { isDeepStrictEqual } from "node:util";
import { isTree, sortedJson, typeOf } from "../../../lib/objects.ts";
import { withoutStyle } from "../../response-checks/faults.ts";
import { contrasted, shown } from "../../text.ts";

/**
 * The first difference between two JSON values as a sentence; undefined if they are equal. If it is lenient, the found value may lack a null
 * property, have further ones, as a response with new properties does, and have times without fractions of a second.
 */
export const differenceText = (expected: unknown, found: unknown, options?: { lenient?: boolean }) =>
  differencesBetween(expected, found, options).next().value?.text;

interface Difference {
  path: string;
  text: string;
  wanted: string;
  /** In a few words without values: what is different about the property, or both types. */
  change: string;
}

/** All differences between two JSON values, each with its path and what was expected there. The same point in time in another notation is equal. */
export function* differencesBetween(
  expected: unknown,
  found: unknown,
  { lenient = false }: { lenient?: boolean } = {},
  path = "",
): Generator<Difference, undefined> {
  if (!isTree(expected) || !isTree(found) || Array.isArray(expected) !== Array.isArray(found)) {
    // A text elsewhere that looks like a time is a text.
    const isTimeProperty = path === "" || /(^|[._])at$/.test(path);
    const isSame = isTimeProperty && isSameTime(expected, found, lenient);
    if (isSame || isDeepStrictEqual(expected, found)) return;
    const text = `${path || "the value"} is ${contrasted(found, expected)}, not ${contrasted(expected, found)}`;
    const [own, other] = [kindOf(found), kindOf(expected)];
    const change = own === other ? "has another value" : `${own} in place of ${other}`;
    yield { path, text, wanted: shown(expected), change };
    return;
  }
  if (Array.isArray(expected) && expected.length !== found.length) {
    const text = `${path || "the array"} has ${found.length} items, not ${expected.length}`;
    yield { path, text, wanted: shown(expected), change: "has another number of items" };
    return;
  }
  if (Array.isArray(expected) && Array.isArray(found) && !isDeepStrictEqual(expected, found)) {
    const [wanted, items] = [expected, found].map((all: unknown[]) => all.map(sortedJson).sort());
    if (isDeepStrictEqual(wanted, items)) {
      const text = `${path || "the array"} has the same items in another order`;
      yield { path, text, wanted: shown(expected), change: "has another order" };
      return;
    }
  }
  for (const name of new Set([...Object.keys(expected), ...Object.keys(found)])) {
    const inner = path === "" ? name : `${path}.${name}`;
    if (!Object.hasOwn(found, name)) {
      const other = renamedIn(found, name, expected);
      const text = `${inner} is missing${other === undefined ? "" : `, and ${other} is in its place`}`;
      const isNull = expected[name] === null;
      const change = other ? "names in another style" : isNull ? "nothing in place of null" : "is missing";
      if (lenient && isNull) continue;
      yield { path: inner, text, wanted: shown(expected[name]), change };
      if (other) yield* differencesBetween(expected[name], found[other], { lenient }, inner);
    } else if (!Object.hasOwn(expected, name)) {
      const change = found[name] === null ? "null in place of nothing" : "is added";
      const text = `${inner} is added: ${shown(found[name])}`;
      const isRenamed = renamedIn(expected, name, found) !== undefined;
      if (!lenient && !isRenamed) yield { path: inner, text, wanted: "none", change };
    } else yield* differencesBetween(expected[name], found[name], { lenient }, inner);
  }
}

/** The name in another style that a property has in the other value; neither value has both names. */
const renamedIn = (other: object, name: string, holder: object): string | undefined =>
  Object.keys(other).find((one) => !Object.hasOwn(holder, one) && withoutStyle(one) === withoutStyle(name));

/** Stands for a time that is another one in each run. */
export const serviceTime = "a time of the service";

/** Whether a value stands for a number that is written with a point. */
export const isDecimal = (value: unknown): boolean => isTree(value) && "toJSON" in value;

/** A type of JSON, or time. */
function kindOf(value: unknown): string {
  if (value === undefined) return "nothing";
  if (isDecimal(value)) return "number with a decimal point";
  return isTime(value) || value === serviceTime ? "time" : typeOf(value).replace("integer", "number");
}

const time = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|z|[+-]\d\d:?\d\d)$/;

/** Whether a value is a point in time as the service and its clients write it. */
export const isTime = (value: unknown): value is string => typeof value === "string" && time.test(value);

function isSameTime(one: unknown, other: unknown, lenient: boolean): boolean {
  if (!isTime(one) || !isTime(other)) return false;
  const [first, second] = [one, other].map((text) => Math.floor(Date.parse(text) / (lenient ? 1000 : 1)));
  return first === second;
}
