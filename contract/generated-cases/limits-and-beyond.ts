import { isObject } from "../../lib/objects.ts";
import { withArticle } from "./case.ts";
import type { Candidate } from "./values.ts";

/** A value at a limit and the next one beyond it, if there is one. */
interface Sides {
  within: Candidate;
  past: Candidate[];
}

/**
 * Both sides of a limit.
 * @param keyword such as `maxLength`
 * @param limit the value of the keyword
 * @param current a valid value to start from
 * @param keep whether a property name is valid
 */
export function sidesOf(
  keyword: string,
  limit: number,
  current: unknown,
  keep: (name: string) => boolean = () => true,
): Sides {
  const beyond = keyword.startsWith("max") ? limit + 1 : limit - 1;
  const make = maker(keyword, current, keep);
  return { within: make(limit), past: beyond < 0 && keyword !== "minimum" ? [] : [make(beyond)] };
}

function maker(
  keyword: string,
  current: unknown,
  keep: (name: string) => boolean,
): (count: number) => Candidate {
  const many = (count: number, one: string, more: string) => `${count} ${count === 1 ? one : more}`;
  if (keyword.endsWith("Length")) {
    return (count) => ({
      value: String(current).slice(0, count).padEnd(count, "x"),
      describe: (noun) => `${withArticle(noun)} of ${many(count, "character", "characters")}`,
    });
  }
  if (keyword.endsWith("Items")) {
    return (count) => ({
      value: entries(current, count),
      describe: (noun) => `${noun} with ${many(count, "entry", "entries")}`,
    });
  }
  if (keyword.endsWith("Properties")) {
    return (count) => ({
      value: pairs(current, count, keep),
      describe: (noun) => `${noun} with ${many(count, "pair", "pairs")}`,
    });
  }
  return (count) => ({ value: count, describe: (noun) => `${count} as ${noun}` });
}

/** Repeats the entries; texts are numbered to be unique. */
function entries(current: unknown, count: number): unknown[] {
  const given = Array.isArray(current) && current.length > 0 ? current : ["text"];
  return Array.from({ length: count }, (_, index) => {
    const entry: unknown = given[index % given.length];
    return typeof entry === "string" ? `${index}${entry}` : entry;
  });
}

function pairs(current: unknown, count: number, keep: (name: string) => boolean): Record<string, unknown> {
  const given = isObject(current) ? Object.entries(current) : [];
  const [name, value] = given.find(([one]) => keep(`${one}-1`)) ?? ["name", "text"];
  return Object.fromEntries(Array.from({ length: count }, (_, index) => [`${name}-${index}`, value]));
}
