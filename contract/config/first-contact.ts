import { type OperationId, operations } from "../../generated/operations.ts";
import { isObject } from "../../lib/objects.ts";
import { UserError } from "../../lib/user-error.ts";
import { absent, baseUrlQuestion } from "../base-url.ts";
import { document, resolve, type Schema } from "../document.ts";
import type { Settings } from "../engine/settings.ts";
import type { Tester } from "../engine/tester.ts";
import { type Exchange, errorOf, isSuccess } from "../exchange.ts";
import { documented } from "../response-checks/documented.ts";
import { brief, capitalized } from "../text.ts";
import { variableOf } from "./keys.ts";

/**
 * Rejects a server none of whose responses is one of this API: a static site, a redirect, another path prefix, another API. A server that
 * implements one operation passes: before it is rejected, it gets a send (with the profile `newsletter`, a contact) without a body.
 *
 * @param exchanges the responses to operations that need no id
 * @throws UserError with exit code 2 that says what came back
 */
export async function assertThisApi(tester: Tester, exchanges: readonly Exchange[]): Promise<void> {
  const [first] = exchanges;
  if (first === undefined || exchanges.some(isOfThisApi)) return;
  const operation = tester.settings.profile === "newsletter" ? "upsertContact" : "sendEmail";
  const write = await tester.request(operation, { body: {}, ...keyOf(tester.settings) });
  if (isOfThisApi(write) || isRejectedBody(write)) return;
  const { method, path } = first.request;
  throw new UserError(`${method} ${tester.settings.baseUrl}${path} responds with ${cameBack(first)}`, {
    hint: hintFor(first, tester.settings.baseUrl),
    exitCode: 2,
  });
}

/** No key if none is configured. */
export const keyOf = ({ keys }: Settings): { key: null } | Record<never, never> =>
  keys.full === undefined ? { key: null } : {};

/** Whether a response can be one of this API: a rejected key, its error object, or a property of the documented response. */
function isOfThisApi(exchange: Exchange): boolean {
  const { status, request, json } = exchange;
  if (status === 401) return true;
  if (!isSuccess(exchange)) return !absent.includes(status) && typeof errorOf(exchange)?.type === "string";
  const { operation } = request;
  return operation !== undefined && isObject(json) && hasKnownProperty(operation, status, json);
}

/** A server in the making need not have the error object yet. */
const isRejectedBody = ({ status, json }: Exchange): boolean =>
  (status === 400 || status === 422) && json !== undefined;

function hasKnownProperty(operation: OperationId, status: number, body: object): boolean {
  const usual = Number(operations[operation].success[0]);
  const { schema } = documented(operation, status) ?? documented(operation, usual) ?? {};
  const { properties = {}, anyOf = [], oneOf = [] } = schema ? resolve<Schema>(document, schema) : {};
  const variants = [...anyOf, ...oneOf].map((one) => resolve<Schema>(document, one).properties ?? {});
  return [properties, ...variants].some((known) => Object.keys(body).some((name) => name in known));
}

/** `301 to https://www.example.com/`, or `200 text/html`: never the body. */
function cameBack({ status, headers, json }: Exchange): string {
  const { location, "content-type": type } = headers;
  if (status >= 300 && status < 400) return `${status} to ${brief(location ?? "nowhere", 200)}`;
  const what = type === undefined ? "and no content type" : brief(type, 80);
  return `${status} ${what}${isObject(json) ? ", which is not of this API" : ""}`;
}

function hintFor(exchange: Exchange, baseUrl: string): string {
  const target = redirectedBase(exchange, baseUrl);
  if (target !== undefined) return `It redirects to another base URL: is ${target} that of the API?`;
  const [, prefix] = /^(.*)\/(?:api|v1)$/.exec(baseUrl) ?? [];
  const shorter = prefix === undefined ? "" : ` Every path starts with /api/v1: try ${prefix}.`;
  return `${capitalized(baseUrlQuestion(baseUrl))}${shorter}`;
}

/** The base URL that a redirect leads to; undefined if it changes the path. */
function redirectedBase({ headers: { location }, request }: Exchange, baseUrl: string): string | undefined {
  const target = location === undefined ? null : URL.parse(location, baseUrl + request.path);
  if (target === null || !target.pathname.endsWith(request.path)) return undefined;
  const base = `${target.origin}${target.pathname.slice(0, -request.path.length)}`;
  return base === baseUrl ? undefined : brief(base, 200);
}

/** The error of a run without a key. */
export const missingKey = (): UserError =>
  new UserError(`the API key is missing: ${variableOf("full")} is not set`, {
    hint: `Set the environment variable ${variableOf("full")} to a key with all abilities.`,
    exitCode: 2,
  });

/**
 * The error of a key that the server rejects.
 * @param variable the environment variable that holds it
 */
export const rejectedKey = (variable: string): UserError =>
  new UserError(`the server rejects the key in ${variable} with 401`, {
    hint: `Set ${variable} to a key of this server with all abilities.`,
    exitCode: 2,
  });
