import { type OperationId, operations } from "../../generated/operations.ts";
import { isObject, jsonOf } from "../../lib/objects.ts";
import { type Exchange, operationAt, pathParametersAt, plainPath } from "../exchange.ts";
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
  /** Whether the record has only a part of a body. */
  isCut?: boolean;
}

/** The operation of an observed request; undefined if there is none. */
function operationOf({ method, path }: Pick<ObservedExchange, "method" | "path">) {
  const plain = plainPath(path);
  // Methods but POST on it are unspecified.
  const isBatch = plain.endsWith("/emails/batch") && method !== "POST";
  return isBatch ? undefined : operationAt(method, plain);
}

/** An observed exchange as the checks of the suite need it, without a key. */
export function exchangeOf(observed: ObservedExchange): Exchange {
  const { method, path, requestHeaders, requestBody, status, responseHeaders, responseBody } = observed;
  const operation = operationOf(observed);
  const body = requestBody === undefined || !isJson(requestHeaders) ? undefined : jsonOf(requestBody);
  const isReadable = requestBody === undefined || body !== undefined;
  return {
    request: {
      ...(operation && { operation }),
      method,
      path,
      key: null,
      ...(isReadable ? { body } : { rawBody: requestBody }),
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
  /** The names of what is known of it, if it is about these. */
  message: string | undefined;
  contact: string | undefined;
  keyed: string | undefined;
}

/** The names of what an observed request is about, found without reading its body if that does not matter. */
export function subjectsOf(
  observed: ObservedExchange,
  key: KnownKey | undefined,
  areAccountsKnown: boolean,
): string[] {
  const { method, path, requestHeaders } = observed;
  const operation = operationOf(observed);
  if (operation === undefined || key === undefined) return [];
  const { request } = operation === "upsertContact" ? exchangeOf(observed) : { request: undefined };
  const exchange = {
    request: request ?? { operation, method, path, body: {} },
    sent: { headers: requestHeaders, text: undefined },
  };
  const subject = subjectOf(exchange, key, areAccountsKnown);
  return subject === undefined ? [] : namesOf(subject);
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
  const email = operation === "upsertContact" ? isReadable && body.email : path.email;
  const idempotencyKey = operations[operation].idempotent ? sent.headers["idempotency-key"] : undefined;
  return {
    operation,
    key,
    path,
    body: isReadable ? body : undefined,
    idempotencyKey,
    message: path.id,
    contact: typeof email === "string" ? contactName(key, email, areAccountsKnown) : undefined,
    keyed: !idempotencyKey ? undefined : `${key.role} ${operation} ${idempotencyKey}`,
  };
}

/** All subjects by name. The order of two requests about the same subject is known only if they do not overlap. */
function namesOf(subject: Subject): string[] {
  const isSend = subject.operation === "sendEmail" || subject.operation === "sendBatch";
  return [rateName(subject), ...(isSend ? [allowanceName(subject)] : []), ...ownNamesOf(subject)];
}

/** Those that not all requests of the account have in common. */
export function ownNamesOf({ message, contact, keyed, key, operation }: Subject): string[] {
  return [
    ...(message === undefined ? [] : [`message ${message}`]),
    ...(contact === undefined ? [] : [`contact ${contact}`]),
    ...(keyed === undefined ? [] : [`keyed ${keyed}`]),
    ...(operation.startsWith("list") ? [`listing ${key.account} ${operation}`] : []),
  ];
}

export const rateName = ({ key }: Subject): string => `rate ${key.account}`;
export const allowanceName = ({ key }: Subject): string => `allowance ${key.account}`;

/** The name of a contact. Keys of which it is not known whether they have one account may change the same contact. */
const contactName = ({ account }: KnownKey, email: string, areAccountsKnown: boolean): string =>
  `${areAccountsKnown ? account : "?"} ${email.toLowerCase()}`;
