import { isDeepStrictEqual } from "node:util";
import { isTree } from "../../../lib/objects.ts";
import { withoutStyle } from "../../response-checks/faults.ts";
import { contrasted, shown } from "../../text.ts";

/**
 * The first difference between two JSON values as a sentence; undefined if they are equal. The same point in time in another
 * notation is equal. If it is lenient, the found value may lack a null property, have further ones, as a response with new
 * properties does, and have times without fractions of a second.
 */
export function differenceText(
  expected: unknown,
  found: unknown,
  { lenient = false }: { lenient?: boolean } = {},
  path = "",
): string | undefined {
  if (!isTree(expected) || !isTree(found) || Array.isArray(expected) !== Array.isArray(found)) {
    // A text elsewhere that looks like a time is a text.
    const isTimeProperty = path === "" || /(^|[._])at$/.test(path);
    const isSame = isTimeProperty && isSameTime(expected, found, lenient);
    if (isSame || isDeepStrictEqual(expected, found)) return undefined;
    return `${path || "the value"} is ${contrasted(found, expected)}, not ${contrasted(expected, found)}`;
  }
  if (Array.isArray(expected) && expected.length !== found.length)
    return `${path || "the array"} has ${found.length} items, not ${expected.length}`;
  for (const name of new Set([...Object.keys(expected), ...Object.keys(found)])) {
    const inner = path === "" ? name : `${path}.${name}`;
    if (!Object.hasOwn(found, name)) {
      const other = Object.keys(found).find((one) => withoutStyle(one) === withoutStyle(name));
      if (!lenient || expected[name] !== null)
        return `${inner} is missing${other === undefined ? "" : `, and ${other} is in its place`}`;
    } else if (!Object.hasOwn(expected, name)) {
      if (!lenient) return `${inner} is added: ${shown(found[name])}`;
    } else {
      const difference = differenceText(expected[name], found[name], { lenient }, inner);
      if (difference !== undefined) return difference;
    }
  }
  return undefined;
}

const time = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|z|[+-]\d\d:?\d\d)$/;

/** Whether a value is a point in time as the service and its clients write it. */
export const isTime = (value: unknown): value is string => typeof value === "string" && time.test(value);

function isSameTime(one: unknown, other: unknown, lenient: boolean): boolean {
  if (!isTime(one) || !isTime(other)) return false;
  const [first, second] = [one, other].map((text) => Math.floor(Date.parse(text) / (lenient ? 1000 : 1)));
  return first === second;
}
