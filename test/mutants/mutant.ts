import type { requirements } from "../../generated/requirements.ts";
import type { Role } from "../contract/engine/settings.ts";

/** The id of a requirement. */
export type RequirementId = keyof typeof requirements;

/** A request on its way to the sandbox. */
export interface MutantRequest {
  method: string;
  /** The path, with its query. */
  path: string;
  /** By their names in small letters. */
  headers: Record<string, string>;
  /** The body read as JSON; undefined where there is none, or where it is no JSON. What stands here is what goes on. */
  body: unknown;
  /** A body that is no JSON, in place of `body`. */
  text?: string;
}

/** The response on its way back. */
export interface MutantResponse {
  status: number;
  /** By their names in small letters. */
  headers: Record<string, string>;
  /** The body read as JSON; undefined for none. What stands here is what goes on. */
  body: unknown;
  /** A body that is no JSON, in place of `body`. */
  text?: string;
}

/** The sandbox behind a fault, and what the fault may know of it. */
export interface SandboxContext {
  /** What stands in the Authorization header of a role's calls. */
  bearer(role: Role): string;
  /** The sandbox's time, in milliseconds since 1970. */
  now(): number;
  /** A call of the sandbox's control API, which is not one of the service. */
  control(method: string, path: string, body?: unknown): Promise<unknown>;
}

export type Next = (request: MutantRequest) => Promise<MutantResponse>;

/** What stands between the client and a correct server. One is made for each run, so that it may keep state. */
export type Interceptor = (request: MutantRequest, next: Next) => Promise<MutantResponse> | MutantResponse;

/** One way to break one promise. */
export interface Mutant {
  /** The promise. */
  requirement: RequirementId;
  /** What the server does wrong, as a fact. */
  title: string;
  intercept(context: SandboxContext): Interceptor;
}

/** A fault that changes responses only. */
export const changeResponses = (
  requirement: RequirementId,
  title: string,
  change: (response: MutantResponse, request: MutantRequest) => MutantResponse | undefined,
): Mutant => ({
  requirement,
  title,
  intercept: () => async (request, next) => {
    const response = await next(request);
    return change(response, request) ?? response;
  },
});

/** A fault that changes requests only. */
export const changeRequests = (
  requirement: RequirementId,
  title: string,
  change: (request: MutantRequest) => MutantRequest | undefined,
): Mutant => ({
  requirement,
  title,
  intercept: () => (request, next) => next(change(request) ?? request),
});

/** A fault that responses by itself, where it wants to, without asking the server. */
export const respondInstead = (
  requirement: RequirementId,
  title: string,
  response: (request: MutantRequest, next: Next) => Promise<MutantResponse> | MutantResponse | undefined,
): Mutant => ({
  requirement,
  title,
  intercept: () => async (request, next) => (await response(request, next)) ?? next(request),
});
