import type { Asked, Given, ProxyFault } from "../proxy.ts";

/** A fault, the requirements it breaks, and what a person must be able to read of it. */
export interface KnownFault extends ProxyFault {
  name: string;
  /** The ids whose checks must find it. */
  ids: string[];
  /** A case in which it shows, as part of its title. */
  shownIn: string;
  expected: string;
  found: string;
  /** In how many cases it shows, where that is the point. */
  cases?: number;
}

export const is = (asked: Asked, call: string): boolean =>
  `${asked.method} ${asked.path.replace("/api/v1", "")}` === call;
export const field = (asked: Asked, name: string): unknown =>
  (asked.body as Record<string, unknown> | undefined)?.[name];
export const isMessage = (asked: Asked): boolean => asked.method === "GET" && asked.path.includes("/emails/");

type After = NonNullable<ProxyFault["after"]>;
type Condition = (asked: Asked, given: Given) => boolean;
const always: Condition = () => true;

/** Answers with a header that is missing or has another value. */
export const header =
  (name: string, value?: string, when = always): After =>
  (given, asked) => {
    if (!when(asked, given)) return;
    delete given.headers[name];
    if (value !== undefined) given.headers[name] = value;
  };

export const status =
  (from: number, to: number, when = always): After =>
  (given, asked) => {
    if (given.status === from && when(asked, given)) given.status = to;
  };

/** Answers whose text has something else in place of something. */
export const text =
  (from: string | RegExp, to: string, when = always): After =>
  (given, asked) => {
    if (when(asked, given)) given.text = given.text.replaceAll(from, to);
  };

/** Answers that are replaced as a whole. */
export const instead =
  (of: Partial<Given> | ((given: Given) => Partial<Given>), when: Condition): After =>
  (given, asked) => {
    if (when(asked, given)) Object.assign(given, typeof of === "function" ? of(given) : of);
  };

/** Requests in which the mock sees another value of a field. */
export const seen =
  (name: string, change: (value: unknown) => unknown): NonNullable<ProxyFault["before"]> =>
  (asked) => {
    const value = field(asked, name);
    if (value !== undefined) Object.assign(asked.body as object, { [name]: change(value) });
  };
