import type { CallError, Reply } from "../../contract/client-suite/driver/protocol.ts";
import { isObject, jsonOf } from "../../lib/objects.ts";
import type { RequirementId } from "../mutants/mutant.ts";
import { inObjects } from "../mutants/variants/variant.ts";
import { showsKeyInErrors } from "./all-operations.ts";
import { type ClientMutant, type Json, type ReceivedResponse, violating } from "./client-mutant.ts";
import { sendBySocket } from "./in-process/sockets.ts";

/** Errors of the service with some of their properties changed. */
const changesErrors = (
  requirement: RequirementId,
  title: string,
  change: (error: CallError) => Partial<CallError>,
): ClientMutant =>
  violating(requirement).rejects(title, (error) =>
    error.kind === "response" ? { error: { ...error, ...change(error) } } : undefined,
  );

/** The message of the service in an error of the client. */
const messageOf = ({ message = "" }: CallError): string =>
  message
    .replace(/^\w+: \d+( \w+)?: /, "")
    .split("\n", 1)
    .join();

const mapFields = (
  { fields = null }: CallError,
  change: (name: string, reasons: string[]) => [string, string[]],
): Partial<CallError> => ({
  fields:
    fields && Object.fromEntries(Object.entries(fields).map(([name, reasons]) => change(name, reasons))),
});

const ofErrors = [
  changesErrors("ERR-3", "derives the error type from words of the message", (error) => ({
    type: /suppressed|cannot be sent|rejected/i.test(messageOf(error))
      ? "send_rejected"
      : (error.type ?? null),
  })),
  changesErrors("ERR-3", "derives the error type from the first word of the message", (error) => ({
    type: /^\w+/.exec(messageOf(error))?.[0].toLowerCase() ?? null,
  })),
  changesErrors("ERR-5", "reports an id of its own as the request id", () => ({
    requestId: crypto.randomUUID(),
  })),
  changesErrors("ERR-5", "reports no request id", () => ({ requestId: null })),

  changesErrors("ERR-4", "reads the field errors as Latin-1", (error) =>
    mapFields(error, (name, reasons) => [
      name,
      reasons.map((reason) => Buffer.from(reason).toString("latin1")),
    ]),
  ),
  changesErrors("ERR-4", "drops the field errors", () => ({ fields: null })),
  changesErrors("ERR-4", "reports the first field error only", ({ fields = null }) => ({
    fields: fields && Object.fromEntries(Object.entries(fields).slice(0, 1)),
  })),
  changesErrors("BATCH-8", "reports field errors of a batch without positions", (error) =>
    mapFields(error, (name, reasons) => [name.replace(/^emails\.\d+\./, ""), reasons]),
  ),
  changesErrors("BATCH-8", "drops field errors with a position", ({ fields = null }) => ({
    fields: fields && Object.fromEntries(Object.entries(fields).filter(([name]) => !name.includes("."))),
  })),
];

const err2 = violating("ERR-2");

/** Errors of one kind become something else. */
const onKind = (title: string, kind: string, reply: Reply): ClientMutant =>
  err2.rejects(title, (error) => (error.kind === kind ? reply : undefined));

/** What happens without a complete response. */
const ofConnections = [
  onKind("returns null if the connection is lost", "connection", { result: null }),
  onKind("returns null if the time is up", "timeout", { result: null }),
  err2.transmits("returns nothing for a response that was cut", async (request) => {
    const response = await sendBySocket(request, { keepsPart: true });
    return isCut(response) ? { ...response, body: Buffer.from("{}") } : response;
  }),
];

const isCut = ({ status, body }: ReceivedResponse): boolean =>
  status < 400 && body.length > 0 && jsonOf(body.toString()) === undefined;

const gen10 = violating("GEN-10");
const gen11 = violating("GEN-11");

const isKnownEvent = ({ type }: Json): boolean =>
  type === "sent" || type === "bounced" || type === "delivered";

/** Messages with an event of an unknown type become something else. */
const onUnknownEvent = (title: string, change: (message: Json, events: Json[]) => Reply): ClientMutant =>
  gen11.mutant(title, () => ({
    call: async (call, next) => {
      const reply = await next(call);
      if (!("result" in reply) || !isObject(reply.result) || !Array.isArray(reply.result.events))
        return reply;
      const events = reply.result.events as Json[];
      return events.every(isKnownEvent) ? reply : change(reply.result, events);
    },
  }));

/** What the service may add within a version. */
const ofUnknownParts = [
  gen10.mutant("fails on an unknown property of an error", () => ({
    send: async (request, next) => {
      const response = await next(request);
      if (response.status < 400) return response;
      const known = /^(type|message|fields|request_id)$/;
      const { error = {} } = (jsonOf(response.body.toString()) ?? {}) as { error?: object };
      return Object.keys(error).every((name) => known.test(name))
        ? response
        : { ...response, body: Buffer.from("{}") };
    },
  })),
  onUnknownEvent("maps an unknown event type to a known one", (message, events) => ({
    result: { ...message, events: events.map((one) => (isKnownEvent(one) ? one : { ...one, type: "sent" })) },
  })),
  onUnknownEvent("returns nothing for a message with an unknown event type", () => ({ result: null })),
];

const gen4 = violating("GEN-4");
const large = violating("LOOK-15");

const asText =
  (change: (text: string) => string) =>
  ({ body }: ReceivedResponse) => ({
    body: Buffer.from(change(body.toString())),
  });

const ofReading = [
  large.receives("reads the first 16 KiB of a response", ({ body }) => ({ body: body.subarray(0, 16_384) })),
  large.receives("reads the first 64 KiB of a response", ({ body }) => ({ body: body.subarray(0, 65_536) })),
  violating("SEND-32").receives(
    "keeps escapes of JSON in strings",
    asText((text) => text.replaceAll(/\\(?!["\\])/g, "\\\\")),
  ),
  gen4.receives("reads a response with a charset as no JSON", ({ headers, status }) =>
    status < 300 && /charset/i.test(headers.get("content-type") ?? "")
      ? { body: Buffer.from("text") }
      : undefined,
  ),
];

/** Mutants that change what the caller gets; each requirement is about the response of one operation. */
function returned(requirement: Parameters<typeof violating>[0]) {
  const changes = (title: string, change: (object: Json, name: string) => Json): ClientMutant =>
    violating(requirement).returns(title, (result) => inObjects(result, change));
  return {
    changes,
    /** Objects that have a property, without it. `beside`: a property that tells them from others. */
    drops: (title: string, property: string, beside = property): ClientMutant =>
      changes(title, (object) => {
        if (!(beside in object)) return object;
        const { [property]: _, ...rest } = object;
        return rest;
      }),
    /** Objects that have a property, with another value of it. */
    converts: (
      title: string,
      property: string,
      convert: (value: unknown) => unknown,
      beside = property,
    ): ClientMutant =>
      changes(title, (object) =>
        property in object && beside in object
          ? { ...object, [property]: convert(object[property]) }
          : object,
      ),
  };
}
const isMembershipStatus = (status: unknown): boolean =>
  /^(pending|subscribed|unsubscribed|cleaned|complained)$/.test(String(status));
const itemsOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : [value]);
const first = (value: unknown): unknown => itemsOf(value).slice(0, 1);
const reversed = (value: unknown): unknown => [...itemsOf(value)].reverse();

const sent = returned("SEND-31");
const batch = returned("BATCH-9");
const message = returned("LOOK-1");
const lists = returned("LIST-1");
const fields = returned("LIST-5");
const membership = returned("CONT-3");
const contact = returned("CONT-23");
const unsubscribed = returned("UNSUB-9");

const ofResults = [
  sent.drops("drops the id of a sent message", "id", "suppressed"),
  sent.drops("drops the recipients of a sent message", "to", "suppressed"),
  violating("SCHED-15").returns("returns nothing for a cancellation", (result, { operation }) =>
    operation === "cancelEmail" ? {} : result,
  ),
  batch.converts("returns the first entry of a batch only", "data", first),
  batch.converts("returns the entries of a batch in reverse order", "data", reversed),
  batch.converts("exchanges the 50th and the 51st entry of a batch", "data", (value) =>
    itemsOf(value).map((one, index, all) => (index === 49 ? (all[50] ?? one) : index === 50 ? all[49] : one)),
  ),

  message.drops("drops id of a message", "id", "events"),
  message.converts("returns the first recipient of a message only", "to", first, "events"),

  lists.drops("drops the id of a list", "id", "double_opt_in"),
  lists.converts("returns the id of a list as a string", "id", String, "double_opt_in"),

  fields.converts("returns the first custom field only", "fields", first),
  fields.drops("drops key of a custom field", "key", "fallback"),

  membership.drops("drops list_id of a membership", "list_id", "list_id"),
  membership.converts("sorts the tags of a membership", "tags", (value) => [...itemsOf(value)].sort()),

  contact.drops("drops email of a contact", "email", "marketing_blocked"),
  contact.converts("returns the first membership of a contact only", "lists", first, "marketing_blocked"),
  contact.converts(
    "returns an unknown status of a membership of a contact as subscribed",
    "lists",
    (value) =>
      itemsOf(value).map((one) =>
        isObject(one) && !isMembershipStatus(one.status) ? { ...one, status: "subscribed" } : one,
      ),
    "marketing_blocked",
  ),
  unsubscribed.drops("drops unsubscribed_at", "unsubscribed_at"),
  violating("UNSUB-9").returns("returns nothing for an unsubscribe", (result, { operation }) =>
    operation === "unsubscribeContact" ? {} : result,
  ),
];

/** What the caller gets. */
export const responseMutants: ClientMutant[] = [
  ...ofErrors,
  ...ofConnections,
  showsKeyInErrors("shows the API key in errors of a timeout", "timeout"),
  ...ofUnknownParts,
  ...ofReading,
  ...ofResults,
];
