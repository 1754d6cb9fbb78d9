import type { OperationId } from "../../../generated/operations.ts";
import { isObject } from "../../../lib/is-object.ts";
import { document } from "../../document.ts";
import { documented, mayOmitBody } from "../../response-checks/documented.ts";
import { finding, type ResponseFinding } from "../../response-checks/finding.ts";
import type { Call, CallError, Reply } from "../driver/driver.ts";
import type { WireExchange, WireResponse } from "../service/wire.ts";
import { differenceOf } from "./compare.ts";
import { documentedPart } from "./documented-part.ts";
import { jsonOf } from "./to-exchange.ts";

/** The requirement that says what the response of an operation contains. */
export const requirementOf: Record<OperationId, string> = {
  sendEmail: "SEND-31",
  sendBatch: "BATCH-9",
  getEmail: "LOOK-1",
  rescheduleEmail: "SCHED-9",
  cancelEmail: "SCHED-15",
  listNewsletterLists: "LIST-1",
  listCustomFields: "LIST-5",
  upsertContact: "CONT-3",
  getContact: "CONT-23",
  unsubscribeContact: "UNSUB-9",
  getMe: "ME-1",
};

/**
 * Checks the reply to a call: the result against the last response, because only a success has one, and it is complete; the
 * status of an error against all responses.
 *
 * @param isCompared whether the result is compared with the body of the response
 */
export function checkReply(
  reply: Reply | undefined,
  wire: readonly WireExchange[],
  { operation }: Call,
  isCompared = true,
): ResponseFinding[] {
  const last = wire.at(-1);
  if (reply === undefined || last === undefined) return [];
  if ("error" in reply) return statusFindings(reply.error, wire);
  const { response } = last;
  // A client that follows a redirect returns what another host responds with.
  if (response !== undefined && response.status >= 300 && response.status < 400) return [];
  const isSuccess = response !== undefined && response.status >= 200 && response.status < 300;
  const found = finding(["ERR-2"], "returns an error unless the response is a success", isSuccess, {
    expected: "an error",
    found: `a result, although ${response === undefined ? "there was no complete response" : `the response is ${response.status}`}`,
  });
  return isSuccess && isCompared ? [found, ...bodyFindings(operation, response, reply.result)] : [found];
}

function statusFindings({ kind, status = 0 }: CallError, wire: readonly WireExchange[]): ResponseFinding[] {
  if (kind !== "response") return [];
  const statuses = wire.flatMap(({ response }) => response?.status ?? []);
  return [
    finding(["ERR-2"], "returns the status of a response", statuses.includes(status), {
      expected: `an error with ${statuses.length === 0 ? "no status: there was no complete response" : `the status ${[...new Set(statuses)].join(" or ")}`}`,
      found: `an error with the status ${status}`,
    }),
  ];
}

function bodyFindings(operation: OperationId, response: WireResponse, result: unknown): ResponseFinding[] {
  const body = jsonOf(response.body.toString());
  const row = documented(operation, response.status);
  if (row !== undefined && mayOmitBody(row)) return [];
  const readable = finding(["GEN-4"], "returns an error if a success is not JSON", body !== undefined, {
    expected: "an error",
    found: "a result, although the body of the response is not JSON",
  });
  if (body === undefined) return [readable];
  const part = documentedPart(operation, response.status, body);
  // Nothing of the response is specified: a client may drop all of it.
  const isOpen = isObject(part) && Object.keys(part).length === 0;
  const difference = isOpen
    ? undefined
    : differenceOf(withKnownEvents(part), withKnownEvents(result), { lenient: true });
  return [
    readable,
    finding([requirementOf[operation]], "returns the response completely", difference === undefined, {
      expected: "a result with every documented property of the response, unchanged",
      found: `a result in which ${difference}`,
    }),
  ];
}

const eventTypes: unknown[] = document.components?.schemas?.EventType?.["x-extensible-enum"] ?? [];

/** Whether the document has the type of an event. */
export const isKnownEvent = (event: unknown): boolean => eventTypes.includes(Object(event).type);

/** A message without events of unknown types, which a client may drop. */
const withKnownEvents = (body: unknown): unknown =>
  isObject(body) && Array.isArray(body.events) ? { ...body, events: body.events.filter(isKnownEvent) } : body;
