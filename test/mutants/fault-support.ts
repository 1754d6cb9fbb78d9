// What mutants of values, sizes, malformed requests, rejections and repetitions share.
import { isObject } from "../../lib/objects.ts";
import { decoded as decodedOrNot } from "../../lib/text.ts";
import { isBatch, isMessageLookup, isSend, recipientFields, stateful } from "./email.ts";
import { authorizationOf } from "./history.ts";
import {
  type Mutant,
  type MutantRequest,
  type MutantResponse,
  type Next,
  type RequirementId,
  type SandboxContext,
  shows,
  takes,
} from "./mutant.ts";
import {
  errorResponse,
  isContactLookup,
  isSuccess,
  isUnsubscribe,
  isUpsert,
  type Json,
  listOf,
  objectOf,
} from "./newsletter.ts";

const emails = "/api/v1/emails";
const contacts = "/api/v1/newsletter/contacts";

/** In milliseconds since 1970; NaN for anything else. */
export const timeOf = (value: unknown): number =>
  typeof value === "string" ? Date.parse(value) : Number.NaN;
export const without = (object: Json, ...names: string[]): Json =>
  Object.fromEntries(Object.entries(object).filter(([name]) => !names.includes(name)));
/** An object with changed values, whatever its keys. */
export const mapValues = (object: unknown, change: (value: unknown, key: string) => unknown): Json =>
  Object.fromEntries(Object.entries(objectOf(object)).map(([key, value]) => [key, change(value, key)]));
/** Changes a text and leaves anything else. */
export const onText =
  (change: (text: string) => unknown) =>
  (value: unknown): unknown =>
    typeof value === "string" ? change(value) : value;
/** Changes a property of an object if it is a text. */
export const inText = (name: string, change: (text: string) => unknown) => (object: Json) => {
  const { [name]: text } = object;
  return typeof text === "string" ? { ...object, [name]: change(text) } : object;
};
/** Changes a property of an object if it is a list. */
export const inList = (name: string, change: (list: unknown[]) => unknown[]) => (object: Json) => {
  const { [name]: list } = object;
  return Array.isArray(list) ? { ...object, [name]: change(list) } : object;
};
/** Changes the properties of one of an object if it is an object: what is none is left for the server to reject. */
export const inEntries =
  (name: string, change: (entries: [string, unknown][]) => [string, unknown][]) => (object: Json) => {
    const { [name]: inner } = object;
    return isObject(inner)
      ? { ...object, [name]: Object.fromEntries(change(Object.entries(inner))) }
      : object;
  };
/** Changes their values. */
export const inValues = (name: string, change: (value: unknown) => unknown) =>
  inEntries(name, (entries) => entries.map(([key, value]) => [key, change(value)]));

export const pathOf = ({ path }: MutantRequest): string => path.split("?", 1)[0] ?? "";
export const decoded = (part: string): string => decodedOrNot(part) ?? part;

export const isAnySend = (request: MutantRequest): boolean => isSend(request) || isBatch(request);
export const isAboutContact = (request: MutantRequest): boolean =>
  isContactLookup(request) || isUnsubscribe(request);
export const isIdempotent = (request: MutantRequest): boolean => isAnySend(request) || isUpsert(request);

export const messagePath = (id: string): string => `${emails}/${encodeURIComponent(id)}`;
export const contactPath = (email: string): string => `${contacts}/${encodeURIComponent(email)}`;
export const keyOf = ({ headers }: MutantRequest): string | undefined => headers["idempotency-key"];
export const keyed = (request: MutantRequest): string =>
  `${authorizationOf(request)} ${request.method} ${pathOf(request)} ${keyOf(request) ?? ""}`;

export const errorTypeOf = ({ body }: MutantResponse): unknown => objectOf(objectOf(body).error).type;
export const isRateLimited = (response: MutantResponse): boolean =>
  response.status === 429 && errorTypeOf(response) === "rate_limited";

/** An unhandled exception, in the shape of an error. */
export const crash = (status = 500): MutantResponse => errorResponse(status, "internal_error");

/** A success instead of what the server said. */
export const success = (response: MutantResponse, status: number, body: unknown): MutantResponse => ({
  status,
  headers: {
    "content-type": "application/json",
    "x-service-request-id": response.headers["x-service-request-id"] ?? "req_mutant",
    "x-ratelimit-limit": response.headers["x-ratelimit-limit"] ?? "120",
    "x-ratelimit-remaining": response.headers["x-ratelimit-remaining"] ?? "60",
  },
  body,
});

export const withHeader = (response: MutantResponse, name: string, value: string): MutantResponse => ({
  ...response,
  headers: { ...response.headers, [name]: value },
});
export const withoutHeaders = (response: MutantResponse, ...names: string[]): MutantResponse => ({
  ...response,
  headers: Object.fromEntries(Object.entries(response.headers).filter(([name]) => !names.includes(name))),
});
export const withBody = (request: MutantRequest, change: (body: Json) => Json): MutantRequest =>
  isObject(request.body) ? { ...request, body: change(request.body) } : request;

/** A request about something else with the same key. */
export const another = (
  request: MutantRequest,
  method: string,
  path: string,
  body?: unknown,
): MutantRequest => {
  const { authorization = "", accept = "application/json" } = request.headers;
  const headers: Record<string, string> = { authorization, accept };
  if (body !== undefined) headers["content-type"] = "application/json";
  return { method, path, headers, body };
};

/** The request with changed messages. */
export function mapMessages(
  request: MutantRequest,
  change: (message: Json, index: number) => Json,
): MutantRequest {
  if (isSend(request)) return withBody(request, (body) => change(body, 0));
  if (!isBatch(request) || !Array.isArray(objectOf(request.body).emails)) return request;
  return withBody(request, (body) => ({
    ...body,
    emails: listOf(body.emails).map((one, index) => (isObject(one) ? change(one, index) : one)),
  }));
}

export const recipientsIn = (message: Json): unknown[] =>
  recipientFields.flatMap((name) => listOf(message[name]));
/** The memberships in a response, changed wherever one is shown. */
export function mapMemberships(
  response: MutantResponse,
  request: MutantRequest,
  change: (membership: Json) => Json,
): MutantResponse {
  if (!isSuccess(response) || !isObject(response.body)) return response;
  if (isUpsert(request)) return { ...response, body: change(response.body) };
  if (!isAboutContact(request)) return response;
  const lists = listOf(response.body.lists).map((one) => change(objectOf(one)));
  return { ...response, body: { ...response.body, lists } };
}

/** Message records that are changed on their way out. */
export const showsMessage = (
  requirement: RequirementId,
  title: string,
  change: (record: Json, request: MutantRequest, context: SandboxContext) => Json,
): Mutant =>
  shows(requirement, title, (response, request, context) =>
    isMessageLookup(request) && isSuccess(response) && isObject(response.body)
      ? { ...response, body: change(response.body, request, context) }
      : response,
  );

/** Memberships that are changed on their way out. */
export const showsMembership = (
  requirement: RequirementId,
  title: string,
  change: (membership: Json, request: MutantRequest) => Json,
): Mutant =>
  stateful(
    requirement,
    title,
    () => async (request, next) =>
      mapMemberships(await next(request), request, (membership) => change(membership, request)),
  );

/** Contact records that are changed on their way out. */
export const showsContact = (
  requirement: RequirementId,
  title: string,
  change: (contact: Json, request: MutantRequest) => Json,
): Mutant =>
  shows(requirement, title, (response, request) =>
    isAboutContact(request) && isSuccess(response) && isObject(response.body)
      ? { ...response, body: change(response.body, request) }
      : response,
  );

/** Requests that end in an unhandled exception. */
export const crashes = (
  requirement: RequirementId,
  title: string,
  applies: (request: MutantRequest) => boolean,
  status = 500,
): Mutant =>
  stateful(requirement, title, () => (request, next) => (applies(request) ? crash(status) : next(request)));

/** Messages that are changed on their way in. */
export const takesMessage = (
  requirement: RequirementId,
  title: string,
  change: (message: Json, index: number, request: MutantRequest) => Json,
): Mutant =>
  takes(requirement, title, (request) =>
    mapMessages(request, (message, index) => change(message, index, request)),
  );

/** Contact writes that are changed on their way in. */
export const takesContact = (
  requirement: RequirementId,
  title: string,
  change: (contact: Json) => Json,
): Mutant =>
  takes(requirement, title, (request) => (isUpsert(request) ? withBody(request, change) : request));

type After = (
  request: MutantRequest,
  response: MutantResponse,
  next: Next,
  context: SandboxContext,
) => Promise<unknown> | unknown;

/** Does something after a request, and returns the right response nevertheless. */
export const after = (
  requirement: RequirementId,
  title: string,
  applies: (request: MutantRequest, response: MutantResponse) => boolean,
  act: After,
): Mutant =>
  stateful(requirement, title, (context) => async (request, next) => {
    const response = await next(request);
    if (applies(request, response)) await act(request, response, next, context);
    return response;
  });

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/**
 * Requests that are handled at the same time, by a name. The position is the number of those that were there already; `first` resolves with
 * what the first one returned.
 */
export function together() {
  const running = new Map<string, { count: number; first: Promise<MutantResponse> }>();
  return async (
    name: string,
    handle: (position: number, first: Promise<MutantResponse>) => Promise<MutantResponse> | MutantResponse,
  ): Promise<MutantResponse> => {
    const there = running.get(name);
    const position = there?.count ?? 0;
    let resolve: (response: MutantResponse) => void = () => {};
    const entry = there ?? { count: 0, first: new Promise<MutantResponse>((done) => (resolve = done)) };
    entry.count += 1;
    running.set(name, entry);
    try {
      // As a handler that waits for its database, so that requests that come together are there together.
      await turn();
      await turn();
      const response = await handle(position, entry.first);
      if (position === 0) resolve(response);
      return response;
    } catch (error) {
      // Nothing waits for a response that never comes.
      if (position === 0) resolve(crash());
      throw error;
    } finally {
      entry.count -= 1;
      // The others may still wait for the first one.
      if (entry.count === 0) running.delete(name);
    }
  };
}

/** Cuts a text after a number of bytes, between characters. */
export function cutBytes(text: string, most: number): string {
  let kept = "";
  let size = 0;
  for (const character of text) {
    size += Buffer.byteLength(character);
    if (size > most) return kept;
    kept += character;
  }
  return kept;
}

export const escapeHtml = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll("<", "&lt;").replaceAll(">", "&gt;");
