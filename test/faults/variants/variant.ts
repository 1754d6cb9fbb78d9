import type { SandboxOptions } from "../../../sandbox/index.ts";
import type { Between, FaultAnswer, FaultRequest, Surroundings } from "../fault.ts";

/** A server that differs from the sandbox and is just as correct. */
export interface Variant {
  /** How it differs, as a fact. */
  title: string;
  between?(surroundings: Surroundings): Between;
  sandbox?: SandboxOptions;
}

/** A variant that changes answers only. */
export const inEveryAnswer = (
  title: string,
  change: (answer: FaultAnswer, request: FaultRequest) => FaultAnswer,
): Variant => ({
  title,
  between: () => async (request, next) => change(await next(request), request),
});

export type Json = Record<string, unknown>;

export const isObject = (value: unknown): value is Json =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** A value with all objects in it changed, the innermost first. */
export function inObjects(value: unknown, change: (object: Json, name: string) => Json, name = ""): unknown {
  if (Array.isArray(value)) return value.map((entry) => inObjects(entry, change, name));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([own, inner]) => [own, inObjects(inner, change, own)] as const);
  return change(Object.fromEntries(entries), name);
}

/** Objects in which people choose the names: nothing of the service's can be added to them. */
export const isChosen = (name: string): boolean => ["tags", "fields"].includes(name);

/** The error object in an answer; undefined where there is none. */
export function errorIn({ status, body }: FaultAnswer): Json | undefined {
  if (status < 400 || !isObject(body) || !isObject(body.error)) return undefined;
  return body.error;
}

/** An answer whose error object is another. */
export const withError = (answer: FaultAnswer, change: Json): FaultAnswer => ({
  ...answer,
  body: { ...(answer.body as Json), error: { ...errorIn(answer), ...change } },
});

export const pathOf = ({ path }: FaultRequest): string => path.replace(/\?.*$/, "");

export const isSend = (request: FaultRequest): boolean =>
  request.method === "POST" && /\/emails(\/batch)?$/.test(pathOf(request));
