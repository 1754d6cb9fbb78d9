import { beside, race } from "../../../mutants/concurrency.ts";
import { idOf, isBatch, isCancel, isReschedule, isScheduled, stateful } from "../../../mutants/email.ts";
import {
  isAboutContact,
  mapMemberships,
  together,
  withBody,
  without,
} from "../../../mutants/fault-support.ts";
import { authorizationOf, lookupAt } from "../../../mutants/history.ts";
import type { MutantRequest } from "../../../mutants/mutant.ts";
import {
  emailOf,
  isSuccess,
  isUnsubscribe,
  isUpsert,
  objectOf,
  textOf,
} from "../../../mutants/newsletter.ts";
import { withFields, withHeaders } from "../../../mutants/requests.ts";
import { scopedKey, withoutKey } from "../../../mutants/same-key.ts";
import { type IndependentFault, madeUp } from "./fault.ts";

const nameOfMessage = (request: MutantRequest): string => `${authorizationOf(request)} ${idOf(request)}`;
const nameOfContact = (request: MutantRequest): string => `${authorizationOf(request)} ${emailOf(request)}`;

/** Requests at the same time get in each other's way. */
export const concurrencyFaults: IndependentFault[] = madeUp(
  race(
    "IDEM-1",
    "the second of two scheduled sends at once with one key gets an id of its own",
    (request) => (isScheduled(request) ? scopedKey(request) : undefined),
    () => async (request, next, position) => {
      const response = await next(request);
      const { id } = objectOf(response.body);
      return position > 0 && isSuccess(response) ? withFields(response, { id: `${textOf(id)}x` }) : response;
    },
  ),
  race(
    "IDEM-8",
    "the second of two batches at once with one key is sent too",
    (request) => (isBatch(request) ? scopedKey(request) : undefined),
    () => (request, next, position) => next(position > 0 ? withoutKey(request) : request),
  ),
  race(
    "CONT-16",
    "of two requests for a contact at the same time the second adds no tags",
    (request) => (isUpsert(request) ? nameOfContact(request) : undefined),
    () => (request, next, position) =>
      next(position > 0 ? withBody(request, (body) => without(body, "tags")) : request),
  ),
  beside(
    "SCHED-13",
    "a cancellation beside a rescheduling is confirmed, but the message stays scheduled",
    isReschedule,
    isCancel,
    nameOfMessage,
    async (request, next) => {
      const record = await next(lookupAt(request));
      return objectOf(record.body).status === "scheduled"
        ? { ...record, body: { id: idOf(request), status: "canceled" } }
        : next(request);
    },
  ),
  stateful("HEAD-2", "the request id is made of the time alone", () => {
    const at = together();
    return (request, next) =>
      at("all", async (position, first) => {
        const response = await next(request);
        const id = position > 0 ? (await first).headers["x-service-request-id"] : undefined;
        return isSuccess(response) && id !== undefined
          ? withHeaders(response, { "x-service-request-id": id })
          : response;
      });
  }),
  stateful("UNSUB-10", "an update beside an unsubscribe writes the old status back", () => {
    const at = together();
    const updates = new Map<string, number>();
    const lost = new Set<string>();
    const add = (name: string, change: number) => updates.set(name, (updates.get(name) ?? 0) + change);
    return async (request, next) => {
      const name = nameOfContact(request);
      if (isUnsubscribe(request)) {
        const response = await next(request);
        if (isSuccess(response) && (updates.get(name) ?? 0) > 0) lost.add(name);
        return response;
      }
      if (!(isUpsert(request) || isAboutContact(request))) return next(request);
      if (isUpsert(request)) add(name, 1);
      try {
        const response = isUpsert(request) ? await at(name, () => next(request)) : await next(request);
        if (!lost.has(name)) return response;
        return mapMemberships(response, request, (membership) =>
          membership.status === "unsubscribed"
            ? { ...membership, status: "subscribed", unsubscribed_at: null }
            : membership,
        );
      } finally {
        if (isUpsert(request)) add(name, -1);
      }
    };
  }),
);
