import { changeRecords, idOf, isMessageLookup, stateful, timeOf } from "./email.ts";
import type { Mutant } from "./mutant.ts";
import { isSuccess, type Json, objectOf } from "./newsletter.ts";

/** A record before the message has arrived. */
const onItsWay = (record: Json, status = "sent"): Json => ({
  ...record,
  status,
  delivered_at: null,
  bounced_at: null,
  complained_at: null,
  bounce: null,
  events: (record.events as Json[]).filter(({ type }) => type === "sent"),
});

const where =
  (status: string, change: (record: Json) => Json) =>
  (record: Json): Json =>
    record.status === status ? change(record) : record;

const hour = 3_600_000;

export const deliveryMutants: Mutant[] = [
  changeRecords(
    "DELIV-1",
    "a delivered message has the status opened",
    where("delivered", (record) => ({ ...record, status: "opened" })),
  ),
  changeRecords(
    "DELIV-1",
    "a scheduled message has the status pending",
    where("scheduled", (record) => ({ ...record, status: "pending" })),
  ),
  changeRecords("DELIV-2", "no message becomes delivered", where("delivered", onItsWay)),
  changeRecords(
    "DELIV-2",
    "a delivered message has no delivered_at",
    where("delivered", (record) => ({ ...record, delivered_at: null })),
  ),
  stateful("DELIV-3", "delivery is confirmed after an hour", ({ now }) => async (request, next) => {
    const response = await next(request);
    const record = objectOf(response.body);
    return isMessageLookup(request) &&
      isSuccess(response) &&
      record.status === "delivered" &&
      now() - timeOf(record.sent_at) < hour
      ? { ...response, body: onItsWay(record) }
      : response;
  }),
  stateful("DELIV-4", "a message that was just sent has the status scheduled", () => {
    const seen = new Set<string>();
    return async (request, next) => {
      const response = await next(request);
      const record = objectOf(response.body);
      if (!isMessageLookup(request) || !isSuccess(response) || seen.has(idOf(request))) return response;
      seen.add(idOf(request));
      return record.status === "sent" ? { ...response, body: { ...record, status: "scheduled" } } : response;
    };
  }),
  changeRecords(
    "DELIV-4",
    "a message has the status canceled until it is delivered",
    where("sent", (record) => onItsWay(record, "canceled")),
  ),
  changeRecords(
    "DELIV-5",
    "no message becomes bounced",
    where("bounced", (record) => onItsWay(record, "delayed")),
  ),
  changeRecords(
    "DELIV-5",
    "a bounced message has the status failed",
    where("bounced", (record) => ({ ...record, status: "failed" })),
  ),
  changeRecords(
    "DELIV-6",
    "a bounce has no event",
    where("bounced", (record) => ({
      ...record,
      events: (record.events as Json[]).filter(({ type }) => type !== "bounced"),
    })),
  ),
  changeRecords(
    "DELIV-7",
    "a complaint leaves a message delivered and sets complained_at",
    where("complained", (record) => ({
      ...record,
      status: "delivered",
    })),
  ),
  changeRecords(
    "DELIV-7",
    "a complained message has no complained_at",
    where("complained", (record) => ({
      ...record,
      complained_at: null,
    })),
  ),
];
