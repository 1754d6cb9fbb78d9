import { valueAt as valueIn } from "../../scripts/document/json-pointer.ts";
import type { Schema } from "../document.ts";
import type { Query } from "../exchange.ts";

/** A request on one side of one constraint; everything else in it is valid. */
export interface Case {
  operation: string;
  location: "body" | "header" | "query";
  /** The property path joined by dots, `*` for any entry or name, empty for the body itself; or the name of a parameter. */
  field: string;
  /** The location of the value that is changed, with indexes: `emails`, 0, `subject`. Empty for the body itself. */
  path: readonly (string | number)[];
  /** The keyword of the constraint; `example` for the examples of the document. */
  keyword: string;
  accepted: boolean;
  title: string;
  body: unknown;
  headers: Record<string, string>;
  query: Query;
}

/** A step into a body: a property name, `[]` for an entry of a list, `{}` for a value under any name. */
export type Step = string;

/** One value in one body. */
export interface Location {
  body: unknown;
  path: (string | number)[];
}

/** A schema within a request schema, and the values in valid bodies that it applies to (at least one). */
export interface SchemaLocation {
  operation: string;
  schema: Schema;
  /** The name of the component, or `<component>.<property>` for an inline schema. */
  name: string;
  steps: Step[];
  /** The component names of the `oneOf` and `anyOf` branches on the way. */
  variants: string[];
  locations: [Location, ...Location[]];
}

export interface Change {
  /** The property that is added or removed, if the change is that. */
  property?: string;
  accepted: boolean;
  phrase: string;
  body: unknown;
}

type Path = readonly (string | number)[];
type Container = Record<string | number, unknown>;

/** The value at a location; undefined if there is none. */
export const valueAt = ({ body, path }: Location): unknown => valueIn(body, path);

/** A copy of the body with another value at the location. */
export const withValue = ({ body, path }: Location, value: unknown): unknown =>
  changed(body, path, () => value);

/** A copy of the body without some properties of the object at the location. */
export const without = ({ body, path }: Location, names: readonly string[]): unknown =>
  changed(body, path, (value) =>
    Object.fromEntries(Object.entries(value as Container).filter(([name]) => !names.includes(name))),
  );

export const below = ({ body, path }: Location, step: string | number): Location => ({
  body,
  path: [...path, step],
});

function changed(value: unknown, [step, ...rest]: Path, change: (value: unknown) => unknown): unknown {
  if (step === undefined) return change(value);
  if (Array.isArray(value))
    return value.map((entry, index) => (index === step ? changed(entry, rest, change) : entry));
  const container = (value ?? {}) as Container;
  return { ...container, [step]: changed(container[step], rest, change) };
}

/** Such as `emails.*.tags.*`. */
export const fieldOf = (steps: readonly Step[]): string =>
  steps.map((step) => (step === "[]" || step === "{}" ? "*" : step)).join(".");

/** A field in a title: `entry in to`, `value in tags`, `subject in emails`, `body`. */
export function noun(steps: readonly Step[]): string {
  const last = steps.at(-1);
  const outer = steps.slice(0, -1);
  if (last === undefined) return "body";
  if (last === "[]") return `entry in ${noun(outer)}`;
  if (last === "{}") return `value in ${noun(outer)}`;
  const holder = outer.at(-1) === "[]" || outer.at(-1) === "{}" ? outer.slice(0, -1) : outer;
  return holder.length === 0 ? last : `${last} in ${noun(holder)}`;
}

export const withArticle = (words: string): string => `${/^[aeiou]/i.test(words) ? "an" : "a"} ${words}`;
