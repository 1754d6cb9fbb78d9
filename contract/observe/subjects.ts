import { type OperationId, operations } from "../../generated/operations.ts";
import { isObject, jsonOf } from "../../lib/objects.ts";
import { type Exchange, isSuccess, operationAt, pathParametersAt, plainPath } from "../exchange.ts";
import type { KnownKey } from "./keys.ts";

/** A request and its response in recorded traffic. */
export interface ObservedExchange {
  /** Milliseconds since 1970; undefined if it is not recorded. */
  startedAt: number | undefined;
  /** Until the response was complete. */
  milliseconds: number | undefined;
  method: string;
  /** Below the base URL, encoded, with the query. */
  path: string;
  /** By lower-case name. */
  requestHeaders: Record<string, string>;
  /** Undefined if there is none. */
  requestBody: string | undefined;
  /** 0 if there was no response of the server. */
  status: number;
  responseHeaders: Record<string, string>;
  responseBody: string;
  /** Whether the record has only a part of a body, or nothing; with status 0, whether the client gave the request up. */
  isCut?: boolean;
  /** By how many milliseconds the recorded start and end can be wrong; default: 0. */
  precision?: number;
  /** The name of a connection that carried one exchange after the other, in their order in the record. */
  connection?: string;
}

/** The operation of an observed request; undefined if there is none. */
export function operationOf({ method, path }: Pick<ObservedExchange, "method" | "path">) {
  const plain = plainPath(path);
  // Methods but POST on it are unspecified.
  return plain.endsWith("/emails/batch") && method !== "POST" ? undefined : operationAt(method, plain);
}

/** An observed exchange as the checks of the suite need it, without a key. */
export function exchangeOf(observed: ObservedExchange): Exchange {
  const { method, path, requestHeaders, requestBody, status, responseHeaders, responseBody } = observed;
  const operation = operationOf(observed);
  const body = requestBody === undefined || !isJson(requestHeaders) ? undefined : jsonOf(requestBody);
  return {
    request: {
      ...(operation && { operation }),
      method,
      path,
      key: null,
      ...(requestBody === undefined || body !== undefined ? { body } : { rawBody: requestBody }),
    },
    sent: { headers: requestHeaders, text: requestBody },
    status,
    headers: responseHeaders,
    text: responseBody,
    json: jsonOf(responseBody),
    startedAt: observed.startedAt ?? 0,
    milliseconds: observed.milliseconds ?? 0,
  };
}

/** Whether a body is JSON by its type. Without one, servers take it for JSON; how they take any other one is unspecified. */
export const isJson = ({ "content-type": type = "application/json" }: Record<string, string>): boolean =>
  /^application\/json\s*(;|$)/i.test(type.trim());

/** A request to an operation, with what it is about. */
export interface Subject {
  operation: OperationId;
  key: KnownKey;
  /** The decoded path parameters. */
  path: Readonly<Record<string, string>>;
  /** Undefined if it is not an object. */
  body: Record<string, unknown> | undefined;
  idempotencyKey: string | undefined;
  /** That of the contact that it is about, in lower case. */
  email: string | undefined;
  /** The names of what is known of it, if it is about these. */
  message: string | undefined;
  contact: string | undefined;
  keyed: string | undefined;
}

/** The names of what an observed request is about, found without reading its body if that does not matter. */
export function subjectsOf(observed: ObservedExchange, key: KnownKey | undefined): string[] {
  const { method, path, requestHeaders, status, responseBody } = observed;
  const operation = operationOf(observed);
  if (key === undefined) return [];
  const sent = { headers: requestHeaders, text: observed.requestBody };
  const subject = subjectOf({ request: { ...(operation && { operation }), method, path }, sent }, key, true);
  // A request to another path may count toward the rate limit.
  if (subject === undefined) return [rateName({ key })];
  if (!operation?.startsWith("send") || !isSuccess({ status })) return namesOf(subject);
  // What it adds can be seen, and changed, before its response is complete.
  const added = [...responseBody.matchAll(/"id"\s*:\s*"([^"]+)"/g)].map(([, id]) => `message ${id}`);
  return [...namesOf(subject), ...new Set(added)];
}

/** What a request is about; undefined if it is none to an operation, or has no key. */
export function subjectOf(
  { request, sent }: Pick<Exchange, "request" | "sent">,
  key: KnownKey | undefined,
  areAccountsKnown: boolean,
): Subject | undefined {
  const { operation } = request;
  if (operation === undefined || key === undefined) return undefined;
  const path = pathParametersAt(operation, request.path);
  if (path === undefined) return undefined;
  // An unsubscribe needs no body.
  const needsBody = operations[operation].requestBody !== null && operation !== "unsubscribeContact";
  const { body = needsBody ? undefined : {} } = request;
  const isReadable = isObject(body) && request.rawBody === undefined;
  // Whether a server reads a body of another type is unspecified.
  const sentEmail = (): unknown => Object(isReadable ? body : jsonOf(sent.text ?? "")).email;
  const found = operation === "upsertContact" ? sentEmail() : path.email;
  const email = typeof found === "string" ? found.toLowerCase() : undefined;
  const idempotencyKey = operations[operation].idempotent ? sent.headers["idempotency-key"] : undefined;
  return {
    operation,
    key,
    path,
    body: isReadable ? body : undefined,
    idempotencyKey,
    message: path.id,
    email,
    // Keys of which it is not known whether they have one account may change the same contact.
    contact: email && `${areAccountsKnown ? key.account : "?"} ${email}`,
    keyed: !idempotencyKey ? undefined : `${key.role} ${operation} ${idempotencyKey}`,
  };
}

/**
 * All subjects by name. The order of two requests about the same subject is known only if they do not overlap. A contact has one name for all
 * accounts: which account a key has may show later.
 */
function namesOf(subject: Subject): string[] {
  const { message, email, keyed, key, operation } = subject;
  return [
    rateName(subject),
    ...(operation.startsWith("send") ? [allowanceName(subject)] : []),
    ...(message === undefined ? [] : [`message ${message}`]),
    ...(email === undefined ? [] : [`contact ${email}`]),
    ...(keyed === undefined ? [] : [`keyed ${keyed}`]),
    ...(operation.startsWith("list") ? [`listing ${key.account} ${operation}`] : []),
  ];
}

/** Whether not all requests of an account, or all of its sends, have a subject in common. */
export const isOwnName = (name: string): boolean => !/^(rate|allowance) /.test(name);

export const rateName = ({ key }: Pick<Subject, "key">): string => `rate ${key.account}`;
export const allowanceName = ({ key }: Subject): string => `allowance ${key.account}`;
