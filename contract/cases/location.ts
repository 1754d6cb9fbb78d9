import type { Location } from "./case.ts";

type Path = readonly (string | number)[];
type Container = Record<string | number, unknown>;

/** The value at a location; undefined if there is none. */
export const valueAt = ({ body, path }: Location): unknown =>
  path.reduce<unknown>((value, step) => (isContainer(value) ? value[step] : undefined), body);

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

const isContainer = (value: unknown): value is Container => typeof value === "object" && value !== null;

function changed(value: unknown, [step, ...rest]: Path, change: (value: unknown) => unknown): unknown {
  if (step === undefined) return change(value);
  if (Array.isArray(value))
    return value.map((entry, index) => (index === step ? changed(entry, rest, change) : entry));
  const container = value as Container;
  return { ...container, [step]: changed(container[step], rest, change) };
}
