import { methodsByPath, type OperationId, operations } from "../../generated/operations.ts";
import { isObject, jsonOf } from "../../lib/objects.ts";
import { type Exchange, errorOf, isSuccess, namedFields, plainPath } from "../exchange.ts";
import { entriesIn } from "../model/state.ts";
import { errorTypesOf, knownErrorTypes } from "../response-checks/errors.ts";
import { findingOf, type ResponseFinding } from "../response-checks/finding.ts";
import type { KnownKey } from "./keys.ts";
import { isJson } from "./subjects.ts";

/**
 * Checks how a request that is wrong by itself was rejected.
 * @param missing the operations that the server does not have
 */
export function checkRequest(
  exchange: Exchange,
  key: KnownKey | undefined,
  missing: readonly string[] = [],
): ResponseFinding[] {
  const { allow } = exchange.headers;
  const facts = [`status ${exchange.status}`, errorOf(exchange)?.type, allow && `Allow: ${allow}`];
  const found = facts.filter(Boolean).join(" ");
  return [
    ...ofKey(exchange),
    ...ofExistence(exchange),
    ...ofPath(exchange, missing),
    ...ofBody(exchange, key),
    ...ofType(exchange),
    ...ofNames(exchange),
  ].map(([ids, title, expected, passes]) => findingOf(ids, title, passes, { expected, found }));
}

function ofKey(exchange: Exchange): Verdict[] {
  const { request, sent, status } = exchange;
  if (request.operation === undefined || "authorization" in sent.headers || isUnavailable(exchange))
    return [];
  const isUnauthorized = status === 401 && errorOf(exchange)?.type === "unauthorized";
  // Which of several errors is returned is unspecified.
  const isOnly = request.operation in fixedPaths;
  if (!isSuccess(exchange) && !isUnauthorized && status !== 401 && status !== 403 && !isOnly) return [];
  const title = "a request without a key is rejected with 401 unauthorized";
  return [[["AUTH-12"], title, "status 401 unauthorized", isUnauthorized]];
}

const isUnavailable = ({ status }: Exchange): boolean => status >= 500 || status === 429;

const patterns = Object.entries(methodsByPath).map(([template, methods]) => ({
  template,
  path: new RegExp(`^${template.replaceAll(/\{\w+\}/g, "[^/]+")}$`),
  hasParameter: template.includes("{"),
  methods: methods as readonly string[],
}));

export const isDocumentedPath = (path: string) => patterns.some((one) => one.path.test(plainPath(path)));

/** The requirements on operations without parameters and bodies: nothing that a request with a key names can be missing. */
const fixedPaths: Partial<Record<OperationId, readonly string[]>> = {
  getMe: ["ME-1"],
  listNewsletterLists: ["LIST-1"],
  listCustomFields: ["LIST-5"],
};

/** An operation that a server does not have. */
function ofExistence({ request, sent, status }: Exchange): Verdict[] {
  const ids = request.operation && fixedPaths[request.operation];
  if (ids === undefined || status !== 404 || !("authorization" in sent.headers)) return [];
  return [[ids, "the path exists", "another status than 404", false]];
}

/** Requests to unknown paths, and with methods that a path does not support. The service may add both. */
function ofPath(exchange: Exchange, missing: readonly string[]): Verdict[] {
  const { request, status, headers } = exchange;
  if (request.operation !== undefined) return [];
  const path = plainPath(request.path);
  const known = patterns.filter((one) => one.path.test(path));
  const type = errorOf(exchange)?.type;
  if (known.length === 0) {
    if (status !== 404 || !path.startsWith("/api/v1/")) return [];
    const title = "an unknown path is rejected with 404 not_found";
    return [[["ERR-6"], title, "status 404 not_found", type === "not_found"]];
  }
  const own = known.find((one) => !one.hasParameter);
  const methods = own?.methods ?? known.flatMap((one) => one.methods);
  if (methods.includes(request.method) || path.endsWith("/batch")) return [];
  if (status !== 405 && (status !== 404 || own === undefined)) return [];
  const isNotAllowed = status === 405 && type === "method_not_allowed";
  const ofMethod = "an unsupported method is rejected with 405 method_not_allowed";
  const rejected: Verdict = [["ERR-7"], ofMethod, "status 405 method_not_allowed", isNotAllowed];
  if (status !== 405) return [rejected];
  const allowed = (headers.allow ?? "").split(",").map((method) => method.trim());
  const supported = Object.values(operations)
    .filter((one) => !missing.includes(one.id) && methods.some((method) => method === one.method))
    .filter((one) => known.some((other) => other.template === one.path))
    .map(({ method }) => method);
  const passes = supported.every((method) => allowed.includes(method));
  const title = "a 405 lists the supported methods in Allow";
  return [rejected, [["HEAD-10"], title, `Allow with ${supported.join(", ")}`, passes]];
}

/** A body that is not a JSON object. An unsubscribe needs no body. */
function ofBody(exchange: Exchange, key: KnownKey | undefined): Verdict[] {
  const { operation, body, rawBody } = exchange.request;
  if (operation === undefined || key === undefined || operations[operation].requestBody === null) return [];
  if (!isJson(exchange.sent.headers)) return [];
  const isMissing = rawBody === undefined && body === undefined;
  if (isObject(body) || isUnavailable(exchange) || (isMissing && operation === "unsubscribeContact"))
    return [];
  // It is nested deeper than the suite reads.
  if (rawBody !== undefined && isObject(jsonOf(rawBody, Number.POSITIVE_INFINITY))) return [];
  const title = "a body that is not a JSON object is rejected with a client error";
  return [[["ERR-10", "ERR-13"], title, "a client error", exchange.status >= 400]];
}

/** The requirements on errors by status, for operations whose other checks do not cover them. */
const idsOfStatus: Record<number, readonly string[]> = {
  401: ["AUTH-13"],
  402: ["AUTH-16"],
  403: ["AUTH-15"],
  404: ["LOOK-23"],
  429: ["LIMIT-1"],
};

/** A known error type has its documented statuses. The service may add types. */
function ofType(exchange: Exchange): Verdict[] {
  const { request, status } = exchange;
  const { operation } = request;
  const type = errorOf(exchange)?.type;
  const ids = idsOfStatus[status];
  if (operation === undefined || typeof type !== "string" || ids === undefined) return [];
  // A template that does not exist may be rejected with 404.
  if (status === 404 && operation.startsWith("send")) return [];
  const listed = errorTypesOf(operation, status);
  if (!knownErrorTypes.has(type) || listed.includes(type)) return [];
  const expected = listed.map((one) => `status ${status} ${one}`).join(" or ");
  return [[ids, "an error type has its documented status", expected, false]];
}

/** The errors that no invalid property causes, by status and type, with the properties of a message that they can be about. */
const rules: Record<string, { ids: readonly string[]; faulty: readonly string[] }> = {
  "401 unauthorized": { ids: ["AUTH-12", "AUTH-13"], faulty: [] },
  "402 no_plan": { ids: ["AUTH-16"], faulty: [] },
  "403 forbidden": { ids: ["AUTH-15"], faulty: [] },
  "403 send_rejected": { ids: ["SEND-4", "AUTH-17"], faulty: ["from"] },
  "409 send_rejected": { ids: ["ERR-8", "ERR-9"], faulty: ["from"] },
  "422 send_rejected": { ids: ["ERR-11", "SEND-36"], faulty: ["from", "to", "cc", "bcc"] },
  "429 send_rejected": { ids: ["LIMIT-7"], faulty: [] },
};

/** `error.fields` names no property of the request that cannot be at fault. */
function ofNames(exchange: Exchange): Verdict[] {
  const rule = rules[`${exchange.status} ${errorOf(exchange)?.type}`];
  const { body } = exchange.request;
  if (rule === undefined || !isObject(body)) return [];
  const messages = entriesIn<unknown>(body.emails ?? [body]).filter(isObject);
  const valid = messages.flatMap(Object.keys).filter((name) => !rule.faulty.includes(name));
  const named = namedFields(exchange).map((name) => name.replace(/^emails\.\d+\./, "").replace(/\..*$/s, ""));
  if (!named.some((name) => valid.includes(name))) return [];
  const expected =
    rule.faulty.length === 0 ? "no error.fields" : `error.fields with ${rule.faulty.join(", ")} alone`;
  return [[rule.ids, "error.fields names only what is at fault", expected, false]];
}

type Verdict = [ids: readonly string[], title: string, expected: string, passes: boolean];
