import { isObject } from "../../../../lib/objects.ts";
import { isSend } from "../../../mutants/email.ts";
import {
  inEntries,
  inList,
  inValues,
  mapMemberships,
  showsContact,
  takesContact,
  takesMessage,
  withBody,
} from "../../../mutants/fault-support.ts";
import { authorizationOf, iso, withPast } from "../../../mutants/history.ts";
import { remembers, shows } from "../../../mutants/mutant.ts";
import { isContactLookup, isUpsert, type Json, listOf, objectOf } from "../../../mutants/newsletter.ts";
import { inBatchFrom, isMoved, records, set, wasScheduled } from "../../../mutants/past.ts";
import { errorIn, withError } from "../../../mutants/requests.ts";
import { isReplay } from "../../../mutants/same-key.ts";
import { type IndependentFault, madeUp, reported } from "./fault.ts";

/** The field of type `number` of the demo account. */
const numberField = "orders";
const publicLink = "https://files.example.com/terms.pdf";

/** The record without its events of a type. */
const withoutEvents = (record: Json, type: string): Json => ({
  ...record,
  events: listOf(record.events).filter((event) => objectOf(event).type !== type),
});

/** Attachments whose links are not looked at. */
const trusted = (which: (path: string, index: number) => boolean) =>
  inList("attachments", (attachments) =>
    attachments.map((one, index) =>
      isObject(one) && typeof one.path === "string" && which(one.path, index)
        ? { ...one, path: publicLink }
        : one,
    ),
  );

/** Messages, contacts and links are not what they were stored as, or stored as something else. */
export const recordFaults: IndependentFault[] = [
  reported(
    "amro/gibbon#54",
    takesContact(
      "CONT-13",
      "null does not clear a number field",
      inEntries("fields", (fields) =>
        fields.filter(([name, value]) => name !== numberField || value !== null),
      ),
    ),
  ),
  ...madeUp(
    remembers("MEMB-9", "from the third update on, subscribed_at is the time of the update", ({ now }) => {
      const updates = new Map<string, number>();
      const times = new Map<string, string>();
      return (response, request) => {
        const name = ({ email, list_id: list }: Json) => `${authorizationOf(request)} ${email} ${list}`;
        if (isUpsert(request) && response.status === 200 && !isReplay(response)) {
          const membership = name(objectOf(response.body));
          const number = (updates.get(membership) ?? 0) + 1;
          updates.set(membership, number);
          if (number >= 3) times.set(membership, iso(now()));
        }
        return mapMemberships(response, request, (membership) => {
          const time = times.get(name(membership));
          return time !== undefined && typeof membership.subscribed_at === "string"
            ? { ...membership, subscribed_at: time }
            : membership;
        });
      };
    }),
    showsContact("MEMB-9", "the last list of a contact has the subscribed_at of its first", (contact) => {
      const first = objectOf(listOf(contact.lists)[0]).subscribed_at;
      return inList("lists", (lists) =>
        lists.map((one, index) =>
          isObject(one) && index === lists.length - 1 && typeof one.subscribed_at === "string"
            ? { ...one, subscribed_at: first ?? one.subscribed_at }
            : one,
        ),
      )(contact);
    }),
    records("LOOK-15", "a delivered message of a batch has no sent event", inBatchFrom(0), (record) =>
      typeof record.delivered_at === "string" ? withoutEvents(record, "sent") : record,
    ),
    records("LOOK-6", "a message that was rescheduled has no tags", isMoved, set({ tags: {} })),
    records("DELIV-7", "a scheduled message stays delivered after a complaint", wasScheduled, (record) =>
      record.status === "complained"
        ? { ...withoutEvents(record, "complained"), status: "delivered", complained_at: null }
        : record,
    ),
    takesMessage("ATT-9", "a link to a unique local address of IPv6 is accepted", (message, _, request) =>
      isSend(request) ? trusted((path) => /^https:\/\/([^/]*@)?\[f[cd]/i.test(path))(message) : message,
    ),
    takesMessage("ATT-9", "only the link of the first attachment is checked", (message, _, request) =>
      isSend(request) ? trusted((path, index) => index > 0 && path.startsWith("https:"))(message) : message,
    ),
    shows("MEMB-7", "a lookup rounds number fields to two decimals", (response, request) =>
      isContactLookup(request)
        ? mapMemberships(
            response,
            request,
            inValues("fields", (value) =>
              typeof value === "number" && Math.abs(value) < 1e9 ? Math.round(value * 100) / 100 : value,
            ),
          )
        : undefined,
    ),
    withPast("MEMB-16", "an update ignores a field with the value 0", (request, next, { history }) => {
      const isUpdate = isUpsert(request) && history.memberOf(request) !== undefined;
      const drop = inEntries("fields", (fields) => fields.filter(([, value]) => value !== 0));
      return next(isUpdate ? withBody(request, drop) : request);
    }),
    shows("ERR-5", "a 405 names another request id than its header", (response) => {
      const id = errorIn(response)?.request_id;
      return response.status === 405 && typeof id === "string"
        ? withError(response, { request_id: `${id}0` })
        : undefined;
    }),
  ),
];
