import type { SandboxOptions } from "../../../sandbox/index.ts";
import type { Interceptor, MutantRequest, MutantResponse, SandboxContext } from "../mutant.ts";

/** A server that differs from the sandbox and is just as correct. */
export interface Variant {
  /** How it differs, as a fact. */
  title: string;
  intercept?(context: SandboxContext): Interceptor;
  sandbox?: SandboxOptions;
}

/** A variant that changes responses only. */
export const changeEveryResponse = (
  title: string,
  change: (response: MutantResponse, request: MutantRequest) => MutantResponse,
): Variant => ({
  title,
  intercept: () => async (request, next) => change(await next(request), request),
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

/** The error object in a response; undefined where there is none. */
export function errorIn({ status, body }: MutantResponse): Json | undefined {
  if (status < 400 || !isObject(body) || !isObject(body.error)) return undefined;
  return body.error;
}

/** A response whose error object is another. */
export const withError = (response: MutantResponse, change: Json): MutantResponse => ({
  ...response,
  body: { ...(response.body as Json), error: { ...errorIn(response), ...change } },
});

export const pathOf = ({ path }: MutantRequest): string => path.replace(/\?.*$/, "");

export const isSend = (request: MutantRequest): boolean =>
  request.method === "POST" && /\/emails(\/batch)?$/.test(pathOf(request));
