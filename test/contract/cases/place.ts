import type { Place } from "./case.ts";

type Path = readonly (string | number)[];
type Container = Record<string | number, unknown>;

/** The value at a place; undefined where there is none. */
export const valueAt = ({ body, path }: Place): unknown =>
  path.reduce<unknown>((value, step) => (isContainer(value) ? value[step] : undefined), body);

/** A copy of the body in which the value at the place is another. */
export const withValue = ({ body, path }: Place, value: unknown): unknown => changed(body, path, () => value);

/** A copy of the body in which the object at the place lacks some of its properties. */
export const without = ({ body, path }: Place, names: readonly string[]): unknown =>
  changed(body, path, (value) =>
    Object.fromEntries(Object.entries(value as Container).filter(([name]) => !names.includes(name))),
  );

/** The place of a property or an entry below a place. */
export const below = ({ body, path }: Place, step: string | number): Place => ({
  body,
  path: [...path, step],
});

/** Whether the value is an object that is not a list. */
export const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const isContainer = (value: unknown): value is Container => typeof value === "object" && value !== null;

function changed(value: unknown, [step, ...rest]: Path, change: (value: unknown) => unknown): unknown {
  if (step === undefined) return change(value);
  if (Array.isArray(value))
    return value.map((entry, index) => (index === step ? changed(entry, rest, change) : entry));
  const container = value as Container;
  return { ...container, [step]: changed(container[step], rest, change) };
}
