import { setTimeout } from "node:timers/promises";
import { limits } from "../../generated/limits.ts";
import { type OperationId, operations } from "../../generated/operations.ts";
import { isResponding } from "../../lib/connection.ts";
import { isObject } from "../../lib/objects.ts";
import { UserError, usageError } from "../../lib/user-error.ts";
import { document, resolve, type Schema } from "../document.ts";
import { Unreachable } from "../engine/http.ts";
import { Run, type RunOptions } from "../engine/run.ts";
import { isInRun, type Settings } from "../engine/settings.ts";
import { Tester, WaitTooLong } from "../engine/tester.ts";
import { absent, type Exchange, errorOf, isSuccess, responseText } from "../exchange.ts";
import { documented } from "../response-checks/documented.ts";
import { fieldTypes } from "../support/lists.ts";
import { brief, quoted } from "../text.ts";
import { variableOf } from "./load.ts";

/** What the server reports to the key `full`. */
export interface Discovery {
  lists: { id: number; name: string; isDoubleOptIn: boolean }[];
  fields: { key: string; label: string; type: string }[];
  /** The responses that are no success, or show that there is no such operation; undefined: there was none. */
  rejections: Partial<Record<OperationId, Exchange | undefined>>;
}

/** Those that need no id. */
export const readOperations = ["getMe", "listNewsletterLists", "listCustomFields"] as const;
/** Each rejects an empty body, so a request has no effect. */
const writeOperations = ["sendEmail", "upsertContact", "sendBatch"] as const;

export interface DiscoverOptions extends Pick<RunOptions, "fetch" | "onWait" | "time"> {
  /** The environment variable that holds the key `full`; default: `CONTRACT_API_KEY`. */
  keyVariable?: string | undefined;
  /** Seconds to wait for a server that does not respond yet; default: none. */
  wait?: number | undefined;
}

/**
 * Reads lists and custom fields from the server. Without a key, only asks whether it is a server of this API.
 * @throws UserError with exit code 2 if the server does not respond, is not one of this API, demands a long wait, or rejects the key
 */
export async function discover(
  settings: Settings,
  { keyVariable = variableOf("full"), wait = 0, ...means }: DiscoverOptions = {},
): Promise<Discovery> {
  const end = performance.now() + wait * 1000;
  while (performance.now() < end && !(await isResponding(settings.baseUrl))) await setTimeout(pollInterval);
  const run = new Run({ settings, ...means });
  const found = await readFrom(new Tester(run)).catch((cause: unknown) => {
    if (cause instanceof UserError) throw cause;
    const hint =
      cause instanceof WaitTooLong
        ? "Try again later, or use the key of another account."
        : (cause instanceof Unreachable && cause.known.hint) || baseUrlQuestion(settings.baseUrl);
    throw usageError(cause instanceof Error ? cause.message : String(cause), hint);
  });
  if (settings.keys.full === undefined) return { lists: [], fields: [], rejections: {} };
  const exchanges = [...found.values()].filter((one) => one !== undefined);
  if (exchanges[0] !== undefined && exchanges.every(({ status }) => status === 401))
    throw usageError(
      `the server rejects the key in ${keyVariable} with 401${quoted(run.redact(String(errorOf(exchanges[0])?.message ?? "")))}`,
      `Set ${keyVariable} to a key of this server with all abilities. It is sent as \`Authorization: Bearer ...\`; the name of a scheme may have any case.`,
    );
  const bodyOf = (operation: OperationId): unknown =>
    exchanges.find((one) => one.request.operation === operation && isSuccess(one))?.json;
  // An empty body is rejected on purpose.
  const rejections = [...found].filter(
    ([, one]) => !one || (!isSuccess(one) && (one.request.method === "GET" || isAbsent(one))),
  );
  // Ignores malformed entries: checks report them.
  return {
    lists: objectsIn(bodyOf("listNewsletterLists"), "lists").flatMap(({ id, name, double_opt_in }) =>
      Number.isSafeInteger(id) && typeof double_opt_in === "boolean"
        ? [{ id: id as number, name: String(name), isDoubleOptIn: double_opt_in }]
        : [],
    ),
    fields: objectsIn(bodyOf("listCustomFields"), "fields").flatMap(({ key, label, type }) =>
      typeof key === "string" && fieldTypes.some((known) => known === type)
        ? [{ key, label: String(label), type: String(type) }]
        : [],
    ),
    rejections: Object.fromEntries(rejections),
  };
}

const pollInterval = 200;

/** Whether a request got no response: a run reports that. */
const isSilence = (error: unknown) => error instanceof Unreachable && !(error instanceof WaitTooLong);

/**
 * The responses to operations that need no id, if there are any: to those that read, then to those that write until one shows that it is this API. A server that
 * implements one operation passes: before it is rejected, it gets a send, a contact and a batch without a body. Throws if nothing responds, or a
 * UserError if the server is not one of this API.
 */
async function readFrom(tester: Tester): Promise<Map<OperationId, Exchange | undefined>> {
  const { settings } = tester;
  const noKey = settings.keys.full === undefined ? { key: null } : {};
  const errors: unknown[] = [];
  const found = new Map<OperationId, Exchange | undefined>();
  const send = async (operation: OperationId, options = {}): Promise<void> => {
    const sent = tester.request(operation, { ...options, ...noKey });
    found.set(operation, undefined);
    found.set(operation, await sent.catch((error: unknown) => void errors.push(error)));
  };
  const exchanges = (): Exchange[] => [...found.values()].filter((one) => one !== undefined);
  await Promise.all(readOperations.filter((one) => isInRun(settings, one)).map((one) => send(one)));
  const isDead = errors.length > 0 && exchanges().length === 0 && !(await isResponding(settings.baseUrl));
  for (const operation of writeOperations.filter((one) => !isDead && isInRun(settings, one)))
    if (errors.every(isSilence) && !areOfThisApi(exchanges())) await send(operation, { body: {} });
  const fatal = errors.find((error) => exchanges().length === 0 || !isSilence(error));
  if (fatal !== undefined) throw fatal;
  assertThisApi(tester, exchanges());
  return found;
}

/**
 * The settings with discovered lists and fields if none are configured.
 * @throws UserError as `discover` does
 */
export async function withDiscoveredFixtures(settings: Settings, means: DiscoverOptions = {}) {
  const found = await discover(settings, means);
  return settings.profile === "mock" ? settings : withDiscovery(settings, found);
}

export function withDiscovery(settings: Settings, { lists, fields }: Discovery): Settings {
  const { fixtures } = settings;
  // Lists for testing come first.
  const inOrder = lists.toSorted((one, other) => Number(isForTests(other)) - Number(isForTests(one)));
  const [plain, second] = inOrder.filter(({ isDoubleOptIn }) => !isDoubleOptIn);
  const doubleOptIn = inOrder.find(({ isDoubleOptIn }) => isDoubleOptIn);
  // A list that is configured for one purpose is not used for another.
  const taken = Object.values(fixtures.lists ?? {});
  const free = Object.entries({ plain, second, doubleOptIn }).flatMap(([name, list]) =>
    list === undefined || taken.includes(list.id) ? [] : [[name, list.id] as const],
  );
  // Of each type, the first.
  const firsts = fields.toReversed().map(({ key, type }) => [type, key] as const);
  const manyFields = fields.filter(({ type }) => type !== "number").map(({ key }) => key);
  const allLists = { ...Object.fromEntries(free), ...fixtures.lists };
  const allFields = { ...Object.fromEntries(firsts), ...fixtures.fields };
  return {
    ...settings,
    fixtures: {
      ...fixtures,
      ...(Object.keys(allLists).length > 0 && { lists: allLists }),
      ...(Object.keys(allFields).length > 0 && { fields: allFields }),
      ...(manyFields.length > limits.contactFields && { manyFields: fixtures.manyFields ?? manyFields }),
    },
  };
}

const isForTests = ({ name }: { name: string }) => /\b(contract|test|tests|testing|sandbox)\b/i.test(name);

/** The objects of an array in a body; none if there is no array. */
export function objectsIn(body: unknown, name: string): Record<string, unknown>[] {
  const entries = isObject(body) ? body[name] : undefined;
  return Array.isArray(entries) ? entries.filter(isObject) : [];
}

/**
 * Rejects a server none of whose responses is one of this API: a static site, a redirect, another path prefix, another API.
 * @param exchanges the responses to operations that need no id
 * @throws UserError with exit code 2 that says what came back
 */
function assertThisApi({ settings, run }: Tester, exchanges: readonly Exchange[]): void {
  const { baseUrl } = settings;
  const first = exchanges.find((one) => !isSuccess(one)) ?? exchanges[0];
  if (first === undefined || areOfThisApi(exchanges)) return;
  const { method, path } = first.request;
  const { headers, json, text } = first;
  const isGarbled =
    text !== "" && json === undefined && headers["content-type"]?.startsWith("application/json");
  const body = isGarbled ? ` and a body that is not JSON: ${brief(run.redact(text), 60)}` : "";
  const names = exchanges.filter(isAbsent).map(({ request }) => request.operation);
  const orMissing =
    names.length > 0 ? ` If these do not exist yet: \`notImplemented: [${names.join(", ")}]\`.` : "";
  throw usageError(
    `${method} ${baseUrl}${path} responds with ${cameBack(first)}${body}`,
    isGarbled ? jsonHint : baseUrlQuestion(baseUrl) + orMissing,
  );
}

const jsonHint =
  "Send JSON in UTF-8, with names and texts in double quotes; a compressed body needs the header Content-Encoding.";

/** Whether one of them is of this API, or the account is there and all else fails: which fields an account has is unspecified. */
const areOfThisApi = (exchanges: readonly Exchange[]): boolean =>
  exchanges.some(isOfThisApi) ||
  (exchanges.some(isAccount) && exchanges.every((one) => isAccount(one) || one.status >= 500));

const isAccount = (exchange: Exchange): boolean =>
  exchange.request.operation === "getMe" && isSuccess(exchange) && isObject(exchange.json);

/** Whether a response can be one of this API: a rejected key, its error object, or a property of the documented response. */
function isOfThisApi(exchange: Exchange): boolean {
  const { status, request, json } = exchange;
  if (status === 401) return true;
  // A server in the making need not have the error object yet.
  if (request.method === "POST" && (status === 400 || status === 422)) return json !== undefined;
  if (!isSuccess(exchange)) return !isAbsent(exchange) && typeof errorOf(exchange)?.type === "string";
  const { operation } = request;
  if (isAccount(exchange) && "x-service-request-id" in exchange.headers) return true;
  return operation !== undefined && isObject(json) && hasKnownProperty(operation, status, json);
}

/** Whether a response has the error object and a status of a server that lacks the operation. */
const isAbsent = (exchange: Exchange): boolean =>
  absent.includes(exchange.status) && typeof errorOf(exchange)?.type === "string";

function hasKnownProperty(operation: OperationId, status: number, body: object): boolean {
  const usual = Number(operations[operation].success[0]);
  const { schema } = documented(operation, status) ?? documented(operation, usual) ?? {};
  const { properties = {}, anyOf = [], oneOf = [] } = schema ? resolve<Schema>(document, schema) : {};
  const variants = [...anyOf, ...oneOf].map((one) => resolve<Schema>(document, one).properties ?? {});
  return [properties, ...variants].some((known) => Object.keys(body).some((name) => name in known));
}

/** `301 to https://www.example.com/`, `404 not_found`, or `200 text/html`: without the body. */
function cameBack(exchange: Exchange): string {
  const { status, headers, json } = exchange;
  if (isAbsent(exchange)) return responseText(exchange);
  const { location, "content-type": type } = headers;
  if (status >= 300 && status < 400) return `${status} to ${brief(location ?? "nowhere", 200)}`;
  const what = type === undefined ? "and no content type" : brief(type, 80);
  return `${status} ${what}${isObject(json) ? ", which is not of this API" : ""}`;
}

const baseUrlQuestion = (baseUrl: string) => `Is ${baseUrl} the base URL of the API, without /api/v1?`;

export const missingKey = (): UserError =>
  usageError(
    `the API key is missing: ${variableOf("full")} is not set`,
    `Set the environment variable ${variableOf("full")} to a key with all abilities.`,
  );
