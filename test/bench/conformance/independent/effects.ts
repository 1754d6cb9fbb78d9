import {
  idOf,
  isBatch,
  isCancel,
  isImmediate,
  isMessageLookup,
  isReschedule,
  isSend,
  stateful,
  timeOf,
} from "../../../mutants/email.ts";
import { after, mapMemberships, withBody, without } from "../../../mutants/fault-support.ts";
import { authorizationOf, iso, withPast } from "../../../mutants/history.ts";
import { remembers } from "../../../mutants/mutant.ts";
import {
  emailOf,
  isContactLookup,
  isSuccess,
  isUnsubscribe,
  isUpsert,
  listOf,
  membershipsOf,
  objectOf,
  textOf,
} from "../../../mutants/newsletter.ts";
import { errorIn, withFields, withKey } from "../../../mutants/requests.ts";
import { scopedKey, withoutKey } from "../../../mutants/same-key.ts";
import { type IndependentFault, madeUp, miscounts } from "./fault.ts";

/** Requests change what they must not change, or something else too. */
export const effectFaults: IndependentFault[] = madeUp(
  remembers("SCHED-19", "a rejected rescheduling changes the time in the record", () => {
    const times = new Map<string, number>();
    return (response, request) => {
      const { path, body } = request;
      if (isReschedule(request) && response.status === 409)
        times.set(path, timeOf(objectOf(body).scheduled_at));
      const time = times.get(path) ?? Number.NaN;
      return isMessageLookup(request) && isSuccess(response) && !Number.isNaN(time)
        ? withFields(response, { scheduled_at: iso(time) })
        : undefined;
    };
  }),
  miscounts("BATCH-7", "a rejected batch takes one from the allowance", (request, { status }) =>
    isBatch(request) && status === 422 ? -1 : 0,
  ),
  after(
    "SEND-34",
    "a spam complaint also suppresses those in cc",
    (request, response) =>
      isImmediate(request) &&
      isSuccess(response) &&
      listOf(objectOf(request.body).to).some((one) => textOf(one).startsWith("complaint")),
    async ({ body }, _, __, { control }) => {
      const copies = listOf(objectOf(body).cc).filter((one) => !textOf(one).includes("simulator"));
      for (const email of copies)
        await control("POST", "/sandbox/suppress", { email, reason: "spam complaint" });
    },
  ),
  after(
    "UNSUB-12",
    "an unsubscribe from an unknown list is rejected, but leaves all lists",
    (request, response) =>
      isUnsubscribe(request) && response.status === 404 && objectOf(request.body).list_id !== undefined,
    (request, _, next) => next({ ...request, body: {} }),
  ),
  withPast(
    "CONT-11",
    "an update with an invalid custom field is rejected, but the rest of it is stored",
    async (request, next, { history }) => {
      const isUpdate = isUpsert(request) && history.memberOf(request) !== undefined;
      const response = await next(request);
      const rejected = Object.keys(objectOf(errorIn(response)?.fields));
      if (isUpdate && response.status === 422 && rejected.some((name) => name.startsWith("fields")))
        await next(withoutKey(withBody(request, (body) => without(body, "fields"))));
      return response;
    },
  ),
  remembers("UNSUB-10", "a confirmation undoes the unsubscribes from the contact's other lists", () => {
    const pending = new Set<string>();
    const confirmed = new Set<string>();
    return (response, request) => {
      if (!isSuccess(response)) return undefined;
      const contact = `${authorizationOf(request)} ${emailOf(request)}`;
      const { status, list_id: list } = objectOf(response.body);
      if (isUpsert(request) && status === "pending") pending.add(`${contact} ${list}`);
      if (!isContactLookup(request)) return undefined;
      const isConfirmed = membershipsOf(response).some(
        (one) => one.status === "subscribed" && pending.has(`${contact} ${one.list_id}`),
      );
      if (isConfirmed) confirmed.add(contact);
      if (!confirmed.has(contact)) return undefined;
      return mapMemberships(response, request, (membership) =>
        membership.status === "unsubscribed" && !pending.has(`${contact} ${membership.list_id}`)
          ? { ...membership, status: "subscribed", unsubscribed_at: null }
          : membership,
      );
    };
  }),
  after(
    "AUTH-2",
    "an unsubscribe from everything also unsubscribes the contact of another account",
    (request, response) =>
      isUnsubscribe(request) && isSuccess(response) && objectOf(request.body).list_id === undefined,
    (request, _, next, { bearer }) => next(withKey(request, bearer("otherAccount"))),
  ),
  stateful("IDEM-8", "a retry with the key of a canceled message sends it again", () => {
    const messages = new Map<string, string>();
    const canceled = new Set<string>();
    return async (request, next) => {
      const key = isSend(request) ? scopedKey(request) : undefined;
      const known = key === undefined ? undefined : messages.get(key);
      const response = await next(known !== undefined && canceled.has(known) ? withoutKey(request) : request);
      if (!isSuccess(response)) return response;
      if (isCancel(request)) canceled.add(idOf(request));
      if (key !== undefined && known === undefined) messages.set(key, textOf(objectOf(response.body).id));
      return response;
    };
  }),
);
