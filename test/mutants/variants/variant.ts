import type { SandboxOptions } from "../../../sandbox/index.ts";
import type { Interceptor, Mutant, MutantRequest, MutantResponse, SandboxContext } from "../mutant.ts";

/** A correct server that differs from the sandbox. */
export interface Variant {
  /** The difference as a statement. */
  title: string;
  intercept?(context: SandboxContext): Interceptor;
  /** Changes a message as MIME on its way to the mailbox. */
  deliver?: Mutant["deliver"];
  sandbox?: SandboxOptions;
  /** Whether it gets the largest messages, too. */
  isWhole?: boolean;
}

/** A variant that only changes responses. */
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

/** A copy with all objects changed, innermost first. */
export function inObjects(value: unknown, change: (object: Json, name: string) => Json, name = ""): unknown {
  if (Array.isArray(value)) return value.map((entry) => inObjects(entry, change, name));
  if (!isObject(value)) return value;
  const entries = Object.entries(value).map(([own, inner]) => [own, inObjects(inner, change, own)] as const);
  return change(Object.fromEntries(entries), name);
}

/** Objects whose property names the user chooses. */
export const isChosen = (name: string): boolean => ["tags", "fields"].includes(name);

export function errorIn({ status, body }: MutantResponse): Json | undefined {
  if (status < 400 || !isObject(body) || !isObject(body.error)) return undefined;
  return body.error;
}

export const withError = (response: MutantResponse, change: Json): MutantResponse => ({
  ...response,
  body: { ...(response.body as Json), error: { ...errorIn(response), ...change } },
});

export const pathOf = ({ path }: MutantRequest): string => path.replace(/\?.*$/, "");

export const isSend = (request: MutantRequest): boolean =>
  request.method === "POST" && /\/emails(\/batch)?$/.test(pathOf(request));

/** An error in place of another response of the server, with its request id. */
export function errorResponse(
  response: MutantResponse,
  status: number,
  type: string,
  fields?: Record<string, string[]>,
): MutantResponse {
  const { allow: _, ...headers } = response.headers;
  const request_id = headers["x-service-request-id"];
  const body = { error: { type, message: "No.", ...(fields && { fields }), request_id } };
  return { status, headers: { ...headers, "content-type": "application/json" }, body };
}
