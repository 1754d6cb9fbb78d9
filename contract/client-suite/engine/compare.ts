import { isDeepStrictEqual } from "node:util";
import { isTree } from "../../../lib/objects.ts";
import { withoutStyle } from "../../response-checks/faults.ts";
import { contrasted, shown } from "../../text.ts";

/**
 * The first difference between two JSON values as a sentence; undefined if they are equal. If it is lenient, the found value may lack a null
 * property, have further ones, as a response with new properties does, and have times without fractions of a second.
 */
export const differenceText = (expected: unknown, found: unknown, options?: { lenient?: boolean }) =>
  differencesBetween(expected, found, options).next().value?.text;

/** All differences between two JSON values, each with its path and what was expected there. The same point in time in another notation is equal. */
export function* differencesBetween(
  expected: unknown,
  found: unknown,
  { lenient = false }: { lenient?: boolean } = {},
  path = "",
): Generator<{ path: string; text: string; wanted: string }, undefined> {
  if (!isTree(expected) || !isTree(found) || Array.isArray(expected) !== Array.isArray(found)) {
    // A text elsewhere that looks like a time is a text.
    const isTimeProperty = path === "" || /(^|[._])at$/.test(path);
    const isSame = isTimeProperty && isSameTime(expected, found, lenient);
    if (isSame || isDeepStrictEqual(expected, found)) return;
    const text = `${path || "the value"} is ${contrasted(found, expected)}, not ${contrasted(expected, found)}`;
    yield { path, text, wanted: shown(expected) };
    return;
  }
  if (Array.isArray(expected) && expected.length !== found.length) {
    const text = `${path || "the array"} has ${found.length} items, not ${expected.length}`;
    yield { path, text, wanted: shown(expected) };
    return;
  }
  for (const name of new Set([...Object.keys(expected), ...Object.keys(found)])) {
    const inner = path === "" ? name : `${path}.${name}`;
    if (!Object.hasOwn(found, name)) {
      const other = Object.keys(found).find((one) => withoutStyle(one) === withoutStyle(name));
      const text = `${inner} is missing${other === undefined ? "" : `, and ${other} is in its place`}`;
      if (!lenient || expected[name] !== null) yield { path: inner, text, wanted: shown(expected[name]) };
    } else if (!Object.hasOwn(expected, name)) {
      if (!lenient) yield { path: inner, text: `${inner} is added: ${shown(found[name])}`, wanted: "none" };
    } else yield* differencesBetween(expected[name], found[name], { lenient }, inner);
  }
}

const time = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|z|[+-]\d\d:?\d\d)$/;

/** Whether a value is a point in time as the service and its clients write it. */
export const isTime = (value: unknown): value is string => typeof value === "string" && time.test(value);

function isSameTime(one: unknown, other: unknown, lenient: boolean): boolean {
  if (!isTime(one) || !isTime(other)) return false;
  const [first, second] = [one, other].map((text) => Math.floor(Date.parse(text) / (lenient ? 1000 : 1)));
  return first === second;
}
