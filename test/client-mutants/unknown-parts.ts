import type { CallError, Reply } from "../../contract/client-suite/driver/protocol.ts";
import { isObject } from "../../lib/objects.ts";
import { inObjects } from "../mutants/variants/variant.ts";
import { type ClientMutant, type Json, violating } from "./client-mutant.ts";

const gen10 = violating("GEN-10");
const gen11 = violating("GEN-11");
const gen12 = violating("GEN-12");

const unreadable = (message: string): Reply => ({ error: { kind: "unreadable", status: 200, message } });

/** A result with an object that has a property beside the known ones is an error. */
const failsOnUnknown = (title: string, known: string, isMeant: (object: Json) => boolean): ClientMutant =>
  gen10.mutant(title, () => ({
    call: async (call, next) => {
      const reply = await next(call);
      if (!("result" in reply)) return reply;
      let unknown: string | undefined;
      inObjects(reply.result, (object) => {
        if (isMeant(object)) unknown ??= Object.keys(object).find((name) => !known.split(" ").includes(name));
        return object;
      });
      return unknown === undefined ? reply : unreadable(`Unrecognized field "${unknown}"`);
    },
  }));

const knownTypes =
  /^(unauthorized|no_plan|forbidden|send_rejected|not_found|method_not_allowed|idempotency_conflict|not_cancellable|not_reschedulable|invalid_request|rate_limited)$/;

/** Errors with an unknown type become something else. */
const onUnknownType = (title: string, change: (error: CallError) => Reply): ClientMutant =>
  gen12.rejects(title, (error) =>
    typeof error.type === "string" && !knownTypes.test(error.type) ? change(error) : undefined,
  );

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
export const unknownPartMutants = [
  failsOnUnknown(
    "fails on an unknown property of a message",
    "id from to subject tags status status_description scheduled_at sent_at delivered_at bounced_at complained_at bounce events",
    (object) => "events" in object,
  ),
  failsOnUnknown(
    "fails on an unknown property of an event",
    "type at detail",
    (object) => "at" in object && "detail" in object,
  ),
  failsOnUnknown(
    "fails on an unknown property of a bounce",
    "type subtype permanent summary what_to_do diagnostic",
    (object) => "diagnostic" in object,
  ),
  failsOnUnknown(
    "fails on an unknown property of the response to a send",
    "id to scheduled_at suppressed status",
    (object) => "suppressed" in object && "to" in object,
  ),
  failsOnUnknown("fails on an unknown property of the response to a batch", "data", (object) =>
    Array.isArray(object.data),
  ),
  failsOnUnknown(
    "fails on an unknown property of an entry of a batch",
    "id suppressed",
    (object) => "suppressed" in object && !("to" in object) && !("scheduled_at" in object),
  ),
  failsOnUnknown(
    "fails on an unknown property of a list",
    "id name double_opt_in",
    (object) => "double_opt_in" in object,
  ),
  failsOnUnknown(
    "fails on an unknown property beside the lists",
    "lists",
    (object) => Array.isArray(object.lists) && !("email" in object),
  ),
  failsOnUnknown(
    "fails on an unknown property of a custom field",
    "key label type fallback",
    (object) => "fallback" in object,
  ),
  failsOnUnknown(
    "fails on an unknown property of a contact",
    "email marketing_blocked lists",
    (object) => "marketing_blocked" in object,
  ),
  failsOnUnknown(
    "fails on an unknown property of a membership",
    "list_id email status status_description first_name last_name fields tags subscribed_at unsubscribed_at",
    (object) => "subscribed_at" in object,
  ),
  gen10.receives("fails on an unknown header of a response", ({ headers, status }) => {
    const known =
      /^(x-service-|x-ratelimit-|idempotent-|content-|retry-after|allow|date|connection|keep-alive|cache-control)/;
    const unknown = [...headers.keys()].find((name) => !known.test(name));
    return unknown === undefined || status >= 300 ? undefined : { body: Buffer.from("unexpected header") };
  }),
  gen10.mutant("fails on an unknown property of an error", () => ({
    send: async (request, next) => {
      const response = await next(request);
      if (response.status < 400) return response;
      const known = /^(type|message|fields|request_id)$/;
      const { error = {} } = (jsonOf(response.body) ?? {}) as { error?: object };
      return Object.keys(error).every((name) => known.test(name))
        ? response
        : { ...response, body: Buffer.from("{}") };
    },
  })),

  onUnknownEvent("fails on an unknown event type", (_, [first]) =>
    unreadable(`${first?.type} is not a valid event type`),
  ),
  onUnknownEvent("maps an unknown event type to a known one", (message, events) => ({
    result: { ...message, events: events.map((one) => (isKnownEvent(one) ? one : { ...one, type: "sent" })) },
  })),
  onUnknownEvent("drops all events if one has an unknown type", (message) => ({
    result: { ...message, events: [] },
  })),
  onUnknownEvent("drops the events after one of an unknown type", (message, events) => ({
    result: {
      ...message,
      events: events.slice(
        0,
        events.findIndex((one) => !isKnownEvent(one)),
      ),
    },
  })),
  onUnknownEvent("returns nothing for a message with an unknown event type", () => ({ result: null })),

  onUnknownType("fails to read an error of an unknown type", ({ message = "" }) => unreadable(message)),
  onUnknownType("reports an unknown error type as a lost connection", ({ message = "" }) => ({
    error: { kind: "connection", message },
  })),
  onUnknownType("reports an unknown error type as invalid_request", (error) => ({
    error: { ...error, type: "invalid_request" },
  })),
  onUnknownType("reports an unknown error type as a 500", (error) => ({ error: { ...error, status: 500 } })),
  onUnknownType("returns nothing in place of an unknown error type", () => ({ result: null })),
  onUnknownType("reports the nearest known type in place of an unknown one", (error) => ({
    error: {
      ...error,
      type: { 401: "unauthorized", 403: "forbidden", 404: "not_found" }[error.status ?? 0] ?? "send_rejected",
    },
  })),
];

function jsonOf(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return undefined;
  }
}
