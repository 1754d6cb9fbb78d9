import { isDeepStrictEqual } from "node:util";
import { isObject } from "../../../lib/objects.ts";

/**
 * The first difference between two JSON values as a sentence; undefined if they are equal. The same point in time in another
 * notation is equal. If it is lenient, the found value may lack a null property, have further ones, as a response with new
 * properties does, and have times without fractions of a second.
 */
export function differenceOf(
  expected: unknown,
  found: unknown,
  options: { lenient?: boolean } = {},
  path = "",
): string | undefined {
  if (isObject(expected) && isObject(found)) return ofObjects(expected, found, options, path);
  if (Array.isArray(expected) && Array.isArray(found)) return ofArrays(expected, found, options, path);
  if (isDeepStrictEqual(expected, found) || isSameTime(expected, found, options)) return undefined;
  return `${path || "the value"} is ${shown(found)}, not ${shown(expected)}`;
}

function ofObjects(
  expected: Record<string, unknown>,
  found: Record<string, unknown>,
  options: { lenient?: boolean },
  path: string,
): string | undefined {
  const { lenient = false } = options;
  for (const [name, value] of Object.entries(expected)) {
    const inner = path === "" ? name : `${path}.${name}`;
    if (Object.hasOwn(found, name)) {
      const difference = differenceOf(value, found[name], options, inner);
      if (difference !== undefined) return difference;
    } else if (!(lenient && value === null)) return `${inner} is missing`;
  }
  const further = Object.keys(found).find((name) => !Object.hasOwn(expected, name));
  if (further === undefined || lenient) return undefined;
  return `${path === "" ? further : `${path}.${further}`} is added: ${shown(found[further])}`;
}

function ofArrays(
  expected: unknown[],
  found: unknown[],
  options: { lenient?: boolean },
  path: string,
): string | undefined {
  if (expected.length !== found.length)
    return `${path || "the array"} has ${found.length} items, not ${expected.length}`;
  for (const [index, value] of expected.entries()) {
    const difference = differenceOf(value, found[index], options, `${path}.${index}`);
    if (difference !== undefined) return difference;
  }
  return undefined;
}

const time = /^\d{4}-\d\d-\d\d[Tt ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|z|[+-]\d\d:?\d\d)$/;

/** Whether a value is a point in time as the service and its clients write it. */
export const isTime = (value: unknown): value is string => typeof value === "string" && time.test(value);

function isSameTime(one: unknown, other: unknown, { lenient = false }: { lenient?: boolean }): boolean {
  const times = [one, other].map((value) => (isTime(value) ? Date.parse(value) : Number.NaN));
  const [first, second] = lenient ? times.map((value) => Math.floor(value / 1000)) : times;
  return first === second;
}

function shown(value: unknown): string {
  const text = JSON.stringify(value) ?? "absent";
  return text.length <= 120 ? text : `${text.slice(0, 117)}...`;
}
