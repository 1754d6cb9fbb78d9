import type { Role } from "../../contract/engine/settings.ts";
import type { requirements } from "../../generated/requirements.ts";

export type RequirementId = keyof typeof requirements;

/** A request on its way to the sandbox. */
export interface MutantRequest {
  method: string;
  /** With the query. */
  path: string;
  /** By lower-case name. */
  headers: Record<string, string>;
  /** The body parsed as JSON; undefined if there is none or it is not JSON. Changes are sent on. */
  body: unknown;
  /** A body that is not JSON, instead of `body`. */
  text?: string;
}

/** A response on its way back. */
export interface MutantResponse {
  status: number;
  /** By lower-case name. */
  headers: Record<string, string>;
  /** The body parsed as JSON; undefined for none. Changes are sent on. */
  body: unknown;
  /** A body that is not JSON, instead of `body`. */
  text?: string;
}

/** The sandbox behind a mutant, and what the mutant can know about it. */
export interface SandboxContext {
  /** The Authorization header of a role. */
  bearer(role: Role): string;
  /** The sandbox's time, in milliseconds since 1970. */
  now(): number;
  /** The time in which the suite waits, which nothing else moves. */
  realNow?(): number;
  /** A request to the sandbox's control API. */
  control(method: string, path: string, body?: unknown): Promise<unknown>;
}

/** Whether a mutant changes what is about a request. */
export type Applies = (request: MutantRequest) => boolean;

export type Next = (request: MutantRequest) => Promise<MutantResponse>;

/** Stands between the client and a correct server. Created for each run, so it can have state. */
export type Interceptor = (request: MutantRequest, next: Next) => Promise<MutantResponse> | MutantResponse;

/** Interceptors in order; the first is nearest to the client. */
export const chained =
  (parts: readonly Interceptor[]): Interceptor =>
  (request, next) =>
    parts.reduceRight<Next>((inner, part) => async (request) => part(request, inner), next)(request);

/** A server with one fault. */
export interface Mutant {
  /** The requirement that the fault violates. */
  requirement: RequirementId;
  /** The fault as a statement. */
  title: string;
  intercept(context: SandboxContext): Interceptor;
  /** Changes a message as MIME, each byte a character, on its way to the mailbox of a recipient; undefined: it does not arrive. */
  deliver?: ((mime: string, recipient: string) => string | undefined) | undefined;
}

/** What a mutant makes of a response; undefined: it is unchanged. */
type ChangeResponse = (
  response: MutantResponse,
  request: MutantRequest,
  context: SandboxContext,
) => MutantResponse | undefined;

/** A mutant that only changes responses. */
export const shows = (requirement: RequirementId, title: string, change: ChangeResponse): Mutant =>
  remembers(requirement, title, () => change);

/** The same with state, which each run creates. */
export const remembers = (
  requirement: RequirementId,
  title: string,
  create: (context: SandboxContext) => ChangeResponse,
): Mutant => ({
  requirement,
  title,
  intercept: (context) => {
    const change = create(context);
    return async (request, next) => {
      const response = await next(request);
      return change(response, request, context) ?? response;
    };
  },
});

/** A mutant that only changes requests. */
export const takes = (
  requirement: RequirementId,
  title: string,
  change: (request: MutantRequest, context: SandboxContext) => MutantRequest | undefined,
): Mutant => ({
  requirement,
  title,
  intercept: (context) => (request, next) => next(change(request, context) ?? request),
});

/** A mutant that can respond without the server. */
export const respondInstead = (
  requirement: RequirementId,
  title: string,
  response: (request: MutantRequest, next: Next) => Promise<MutantResponse> | MutantResponse | undefined,
): Mutant => ({
  requirement,
  title,
  intercept: () => async (request, next) => (await response(request, next)) ?? next(request),
});

type Fetch = (url: string, init: RequestInit) => Promise<Response>;

/** A `fetch` with a mutant between the caller and the server. */
export function intercepted(fetch: Fetch, intercept: Interceptor): Fetch {
  const next = async (request: MutantRequest): Promise<MutantResponse> => {
    const { method, path, headers, body, text: raw } = request;
    const sent = body === undefined ? raw : JSON.stringify(body);
    const response = await fetch(path, {
      method,
      headers,
      ...(sent === undefined ? {} : { body: sent }),
    });
    const text = await response.text();
    const json = parsed(text);
    const shared = { status: response.status, headers: Object.fromEntries(response.headers) };
    return json === undefined && text !== ""
      ? { ...shared, body: undefined, text }
      : { ...shared, body: json };
  };
  return async (url, init) => {
    const { pathname, search } = new URL(url, "http://sandbox");
    const text = typeof init.body === "string" ? init.body : undefined;
    const body = text === undefined ? undefined : parsed(text);
    const response = await intercept(
      {
        method: init.method ?? "GET",
        path: pathname + search,
        headers: Object.fromEntries(new Headers(init.headers)),
        body,
        ...(text === undefined || body !== undefined ? {} : { text }),
      },
      next,
    );
    const { "content-length": _, ...headers } = response.headers;
    const told = response.text ?? (response.body === undefined ? null : JSON.stringify(response.body));
    return new Response([204, 304].includes(response.status) ? null : told, {
      status: response.status,
      headers,
    });
  };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}
