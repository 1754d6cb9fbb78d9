import type { OperationId } from "../../../generated/operations.ts";
import { isObject, jsonOf } from "../../../lib/objects.ts";
import { document, resolve, type Schema } from "../../document.ts";
import { type DocumentedResponse, documented, mayOmitBody } from "../../response-checks/documented.ts";
import { branchFor } from "../../response-checks/encoded.ts";
import { comparing, findingOf, type ResponseFinding } from "../../response-checks/finding.ts";
import type { Call, CallError, Reply } from "../driver/protocol.ts";
import type { WireExchange, WireResponse } from "../service/recording-server.ts";
import { differenceText } from "./compare.ts";

export const compare = comparing({
  error: ["ERR-2", "returns an error unless the response is a success"],
  status: ["ERR-2", "returns the status of a response"],
  json: ["GEN-4", "returns an error if a success is not JSON"],
  outbox: ["IDEM-5", "nothing is sent twice"],
  output: ["AUTH-6", "the output of the client does not contain the API key"],
});

/** The requirement that says what the response of an operation contains, and what its check says. */
export const completeness: Record<OperationId, [requirement: string, title: string]> = {
  sendEmail: ["SEND-31", "the response to a send is returned completely"],
  sendBatch: ["BATCH-9", "the response to a batch is returned completely"],
  getEmail: ["LOOK-1", "a message is returned completely, in every state"],
  rescheduleEmail: ["SCHED-9", "a rescheduling is reported as done"],
  cancelEmail: ["SCHED-15", "a cancellation is reported as done"],
  listNewsletterLists: ["LIST-1", "the lists are returned completely"],
  listCustomFields: ["LIST-5", "the custom fields are returned completely"],
  upsertContact: ["CONT-3", "a membership is returned completely"],
  getContact: ["CONT-23", "a contact is returned completely"],
  unsubscribeContact: ["UNSUB-9", "an unsubscribed contact is returned completely"],
  getMe: ["ME-1", "the account is returned"],
};

export const requirementOf = (operation: OperationId): string => completeness[operation][0];

/**
 * Checks the reply to a call: the result against the last response, because only a success has one, and it is complete; the
 * status of an error against all responses.
 * @param comparedAs the requirement that the result violates if it differs from the body of the response; null: it may
 */
export function* checkReply(
  reply: Reply | undefined,
  wire: readonly WireExchange[],
  { operation }: Call,
  comparedAs: string | null = requirementOf(operation),
): Generator<ResponseFinding> {
  const last = wire.at(-1);
  if (reply === undefined || last === undefined) return;
  if ("error" in reply) {
    if (reply.error.kind === "response") yield checkStatus(reply.error, wire);
    return;
  }
  const { response } = last;
  // A client that follows a redirect returns what another host responds with.
  if (response !== undefined && response.status >= 300 && response.status < 400) return;
  const isSuccess = response !== undefined && response.status >= 200 && response.status < 300;
  const found =
    response === undefined ? "there was no complete response" : `the response is ${response.status}`;
  yield compare.error(isSuccess, "an error", `a result, although ${found}`);
  if (isSuccess && comparedAs !== null)
    yield* checkResult(documented(operation, response.status), response, reply.result, comparedAs);
}

function checkStatus({ status }: CallError, wire: readonly WireExchange[]): ResponseFinding {
  const statuses = [...new Set(wire.flatMap(({ response }) => response?.status ?? []))];
  const possible =
    statuses.length === 0
      ? "no status: there was no complete response"
      : `the status ${statuses.join(" or ")}`;
  return compare.status(
    statuses.includes(status ?? 0),
    `an error with ${possible}`,
    `an error with the status ${status}`,
  );
}

function* checkResult(
  row: DocumentedResponse | undefined,
  response: WireResponse,
  result: unknown,
  comparedAs: string,
): Generator<ResponseFinding> {
  const body = jsonOf(response.body.toString());
  if (row !== undefined && mayOmitBody(row)) return;
  const found = "a result, although the body of the response is not JSON";
  yield compare.json(body !== undefined, "an error", found);
  if (body === undefined) return;
  const part = row?.schema === undefined ? {} : partOf(row.schema, body);
  // Nothing of the response is specified: a client may drop all of it.
  const isOpen = isObject(part) && Object.keys(part).length === 0;
  const difference = isOpen
    ? undefined
    : differenceText(withKnownEvents(part), withKnownEvents(result), { lenient: true });
  yield findingOf([comparedAs], "returns the response completely", difference === undefined, {
    expected: "a result with every documented property of the response, unchanged",
    found: `a result in which ${difference}`,
  });
}

const eventTypes: unknown[] = document.components?.schemas?.EventType?.["x-extensible-enum"] ?? [];

/** A message without events of unknown types, which a client may drop. */
const withKnownEvents = (body: unknown): unknown =>
  isObject(body) && Array.isArray(body.events)
    ? { ...body, events: body.events.filter((event) => eventTypes.includes(Object(event).type)) }
    : body;

/** What the document describes of a response body: a client may drop everything else. */
function partOf(schema: Schema, value: unknown): unknown {
  const { anyOf = [], oneOf = [], ...own } = resolve<Schema>(document, schema);
  const branch = branchFor([...anyOf, ...oneOf], value);
  if (branch !== undefined) return partOf(branch, value);
  const { items, properties = {}, additionalProperties } = own;
  if (Array.isArray(value)) return items === undefined ? value : value.map((entry) => partOf(items, entry));
  // The names of a map are data.
  if (!isObject(value) || isObject(additionalProperties)) return value;
  return Object.fromEntries(
    Object.entries(properties)
      .filter(([name]) => Object.hasOwn(value, name))
      .map(([name, inner]) => [name, partOf(inner, value[name])]),
  );
}

/** Checks the messages of the service: equal texts are equal messages. */
export function checkOutbox(messages: readonly string[]): ResponseFinding {
  const twice = messages.find((message, index) => messages.indexOf(message) !== index);
  return compare.outbox(
    twice === undefined,
    "each message once in the outbox",
    `${messages.filter((message) => message === twice).length} equal messages: ${twice}`,
  );
}

/** The requirement names only one place where the key must not be. */
export const whySecret = "a secret: AUTH-6 forbids it where others can read it, such as in browser code";

/** Checks what the driver wrote: its first line, replies, and logs. */
export function checkOutput(output: string, key: string): ResponseFinding {
  const line = output.split("\n").find((one) => one.includes(key));
  const at = line?.indexOf(key) ?? 0;
  return compare.output(
    line === undefined,
    `output without the API key, ${whySecret}`,
    `the API key in a line: ${line?.slice(Math.max(0, at - 80), at + key.length + 40).trim()}`,
  );
}

/** Whether the driver wrote the key before any call: no call shows it. */
export const isInFirstLine = (output: string, key: string): boolean =>
  output.split("\n").some((line) => line.includes(key) && Object.hasOwn(Object(jsonOf(line)), "protocol"));
