import type { requirements } from "../../generated/requirements.ts";
import type { Role } from "../contract/engine/settings.ts";

/** The id of a requirement. */
export type RequirementId = keyof typeof requirements;

/** A request on its way to the sandbox. */
export interface FaultRequest {
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

/** The answer on its way back. */
export interface FaultAnswer {
  status: number;
  /** By their names in small letters. */
  headers: Record<string, string>;
  /** The body read as JSON; undefined for none. What stands here is what goes on. */
  body: unknown;
  /** A body that is no JSON, in place of `body`. */
  text?: string;
}

/** The sandbox behind a fault, and what the fault may know of it. */
export interface Surroundings {
  /** What stands in the Authorization header of a role's calls. */
  bearer(role: Role): string;
  /** The sandbox's time, in milliseconds since 1970. */
  now(): number;
  /** A call of the sandbox's control API, which is not one of the service. */
  control(method: string, path: string, body?: unknown): Promise<unknown>;
}

export type Next = (request: FaultRequest) => Promise<FaultAnswer>;

/** What stands between the client and a correct server. One is made for each run, so that it may keep state. */
export type Between = (request: FaultRequest, next: Next) => Promise<FaultAnswer> | FaultAnswer;

/** One way to break one promise. */
export interface Fault {
  /** The promise. */
  breaks: RequirementId;
  /** What the server does wrong, as a fact. */
  title: string;
  between(surroundings: Surroundings): Between;
}

/** A fault that changes answers only. */
export const inAnswers = (
  breaks: RequirementId,
  title: string,
  change: (answer: FaultAnswer, request: FaultRequest) => FaultAnswer | undefined,
): Fault => ({
  breaks,
  title,
  between: () => async (request, next) => {
    const answer = await next(request);
    return change(answer, request) ?? answer;
  },
});

/** A fault that changes requests only. */
export const inRequests = (
  breaks: RequirementId,
  title: string,
  change: (request: FaultRequest) => FaultRequest | undefined,
): Fault => ({
  breaks,
  title,
  between: () => (request, next) => next(change(request) ?? request),
});

/** A fault that answers by itself, where it wants to, without asking the server. */
export const instead = (
  breaks: RequirementId,
  title: string,
  answer: (request: FaultRequest, next: Next) => Promise<FaultAnswer> | FaultAnswer | undefined,
): Fault => ({
  breaks,
  title,
  between: () => async (request, next) => (await answer(request, next)) ?? next(request),
});
