// Independent faults, kind 7: parts of responses that do not agree, and types of values.

import { isObject } from "../../lib/objects.ts";
import { idOf, isBatch, isImmediate, isMessageLookup } from "./email.ts";
import {
  inList,
  inValues,
  isAnySend,
  mapMemberships,
  onText,
  pathOf,
  showsContact,
  showsMembership,
  showsMessage,
  timeOf,
  withHeader,
  withoutHeaders,
} from "./fault-support.ts";
import { authorizationOf } from "./history.ts";
import { type Mutant, type RequirementId, remembers, shows } from "./mutant.ts";
import {
  emailOf,
  isContactLookup,
  isSuccess,
  isUnsubscribe,
  isUpsert,
  type Json,
  listOf,
  objectOf,
  textOf,
} from "./newsletter.ts";
import { sentMessages, withFields } from "./requests.ts";
import { isReplay } from "./same-key.ts";

const write = (time: number): string => new Date(time).toISOString();
const events = (record: Json): Json[] => listOf(record.events).map(objectOf);
/** A record with changed events of one type. */
const withEvents = (record: Json, type: string, change: (event: Json) => Json): Json => ({
  ...record,
  events: events(record).map((event) => (event.type === type ? change(event) : event)),
});
/** Memberships in one kind of response only. */
const showsIn = (
  requirement: RequirementId,
  title: string,
  applies: typeof isUpsert,
  change: (membership: Json) => Json,
): Mutant =>
  showsMembership(requirement, title, (membership, request) =>
    applies(request) ? change(membership) : membership,
  );

/** The first record of a message with a status says something else. */
const showsFirst = (requirement: RequirementId, title: string, status: string, others: Json): Mutant =>
  remembers(requirement, title, () => {
    const seen = new Set<string>();
    return (response, request) => {
      const record = objectOf(response.body);
      if (!isMessageLookup(request) || record.status !== status || seen.has(idOf(request))) return response;
      seen.add(idOf(request));
      return { ...response, body: { ...record, ...others } };
    };
  });

export const agreementMutants: Mutant[] = [
  // Source: from experience (events in the time zone of the server)
  showsMessage("LOOK-15", "the `sent` event is an hour before `sent_at`", (record) =>
    withEvents(record, "sent", (event) => ({ ...event, at: write(timeOf(event.at) - 3_600_000) })),
  ),
  // Source: gip-inclusion/rdv-insertion#2182 (events out of order), from experience
  showsMessage("DELIV-6", "the `bounced` event is a day after `bounced_at`", (record) =>
    withEvents(record, "bounced", (event) => ({ ...event, at: write(timeOf(event.at) + 86_400_000) })),
  ),
  // Source: gip-inclusion/rdv-insertion#2182
  showsMessage("LOOK-15", "the `bounced` event is a second before the `sent` event", (record) =>
    withEvents(record, "bounced", (event) => {
      const sent = events(record).find(({ type }) => type === "sent");
      return sent === undefined ? event : { ...event, at: write(timeOf(sent.at) - 1000) };
    }),
  ),
  // Source: TryGhost/Ghost#15901 (one row that each event overwrites)
  showsMessage("LOOK-15", "a bounced message has lost its `sent` event", (record) =>
    record.status === "bounced"
      ? inList("events", (all) => all.filter((event) => objectOf(event).type !== "sent"))(record)
      : record,
  ),
  // Source: TryGhost/Ghost#15901 (the same events emitted several times)
  showsMessage("LOOK-15", "a delivered message has two `sent` events", (record) =>
    record.status === "delivered"
      ? inList("events", (all) =>
          all.flatMap((event) => (objectOf(event).type === "sent" ? [event, event] : event)),
        )(record)
      : record,
  ),
  // Source: twentyhq/twenty#24473 (a late event erases another)
  showsMessage("DELIV-7", "`delivered_at` of a complained message is after `complained_at`", (record) =>
    record.status === "complained" && record.delivered_at !== null
      ? { ...record, delivered_at: write(timeOf(record.complained_at) + 1000) }
      : record,
  ),
  // Source: twentyhq/twenty#24473
  showsMessage("DELIV-2", "`delivered_at` is a second before `sent_at`", (record) =>
    typeof record.delivered_at === "string"
      ? { ...record, delivered_at: write(timeOf(record.sent_at) - 1000) }
      : record,
  ),
  // Source: kentcdodds/kody#780 (the status is of another time than the rest)
  showsFirst(
    "LOOK-11",
    "in the first lookup after delivery the status is still `sent`, with `delivered_at`",
    "delivered",
    { status: "sent" },
  ),
  // Source: kentcdodds/kody#780
  showsFirst(
    "DELIV-5",
    "in the first lookup after a bounce `bounced_at` is null although the status is `bounced`",
    "bounced",
    { bounced_at: null },
  ),
  // Source: from experience (PHP writes names 0, 1, 2 as a list)
  showsMessage("LOOK-6", "tags named 0, 1, 2 come back as a list", (record) =>
    isObject(record.tags) &&
    Object.keys(record.tags).length > 0 &&
    Object.keys(record.tags).every((name, index) => name === String(index))
      ? { ...record, tags: Object.values(record.tags) }
      : record,
  ),
  // Source: from experience (a decoder that finds types)
  showsMessage(
    "LOOK-6",
    "a tag value of digits comes back as a number",
    inValues(
      "tags",
      onText((text) => (/^[1-9]\d{0,8}$/.test(text) ? Number(text) : text)),
    ),
  ),
  // Source: from experience (tags in alphabetical pairs: `true` is no text)
  showsMessage(
    "LOOK-6",
    "the tag value true comes back as a boolean",
    inValues("tags", (value) => (value === "true" ? true : value)),
  ),
  // Source: from experience (DECIMAL columns arrive as texts in many drivers)
  showsIn(
    "MEMB-7",
    "a number in a custom field is a text in lookups only",
    isContactLookup,
    inValues("fields", (value) => (typeof value === "number" ? String(value) : value)),
  ),
  // Source: from experience (BIGINT columns arrive as texts)
  showsIn(
    "MEMB-1",
    "the list id of a membership is a text in lookups only",
    isContactLookup,
    (membership) => ({
      ...membership,
      list_id: String(membership.list_id),
    }),
  ),
  // Source: from experience (the parameter instead of the record)
  showsContact("CONT-23", "a lookup shows the email address as it is in the path", (contact, request) =>
    isContactLookup(request)
      ? { ...contact, email: decodeURIComponent(pathOf(request).split("/").at(-1) ?? "") }
      : contact,
  ),
  // Source: from experience (bcc is counted by a job)
  shows(
    "HEAD-4",
    "the response to an immediate send does not count its own `bcc`, but the next one does",
    (response, request) => {
      const remaining = response.headers["x-service-monthly-remaining"];
      const copies = sentMessages(request).flatMap(({ bcc }) => listOf(bcc)).length;
      return isImmediate(request) && remaining !== undefined && !isReplay(response)
        ? withHeader(response, "x-service-monthly-remaining", String(Number(remaining) + copies))
        : response;
    },
  ),
  // Source: from experience (the allowance is a decimal number)
  shows("HEAD-4", "the remaining allowance has thousands separators", (response) => {
    const remaining = response.headers["x-service-monthly-remaining"];
    return remaining === undefined
      ? response
      : withHeader(response, "x-service-monthly-remaining", Number(remaining).toLocaleString("en"));
  }),
  // Source: from experience (the contact is unblocked by any write)
  remembers("UNSUB-2", "a contact who left everything is no longer blocked after an update", () => {
    const updated = new Set<string>();
    return (response, request) => {
      const who = `${authorizationOf(request)} ${emailOf(request)}`;
      if (isUpsert(request) && isSuccess(response)) updated.add(who);
      if (isUnsubscribe(request)) updated.delete(who);
      return isContactLookup(request) && isSuccess(response) && updated.has(who)
        ? withFields(response, { marketing_blocked: false })
        : response;
    };
  }),
  // Source: from experience (updated_at is shown as the time of the subscription)
  shows(
    "MEMB-9",
    "the response to an update has the time of the update as `subscribed_at`",
    (response, request, { now }) =>
      isUpsert(request) &&
      response.status === 200 &&
      !isReplay(response) &&
      objectOf(response.body).subscribed_at !== null
        ? withFields(response, { subscribed_at: write(now()) })
        : response,
  ),
  // Source: knadh/listmonk#1407 (some lists are left out)
  showsContact("MEMB-16", "a lookup leaves out the memberships that are cleaned", (contact, request) =>
    isContactLookup(request)
      ? inList("lists", (all) => all.filter((one) => objectOf(one).status !== "cleaned"))(contact)
      : contact,
  ),
  // Source: knadh/listmonk#1407
  showsContact(
    "UNSUB-9",
    "the response to an unsubscribe from one list has that list only",
    (contact, request) => {
      const list = objectOf(request.body).list_id;
      return isUnsubscribe(request) && list !== undefined
        ? { ...contact, lists: listOf(contact.lists).filter((one) => objectOf(one).list_id === list) }
        : contact;
    },
  ),
  // Source: from experience (a join repeats rows)
  showsContact("CONT-25", "a contact with several tags has its first membership twice", (contact) => {
    const lists = listOf(contact.lists).map(objectOf);
    return listOf(lists[0]?.tags).length > 1
      ? { ...contact, lists: [...lists.slice(0, 1), ...lists] }
      : contact;
  }),
  // Source: backstagephp/mails#38 (sent_at of the first message only)
  remembers("LOOK-10", "only the first message of a batch has a `sent_at`", () => {
    const others = new Set<string>();
    return (response, request) => {
      if (isBatch(request) && isSuccess(response))
        for (const entry of listOf(objectOf(response.body).data).slice(1))
          others.add(textOf(objectOf(entry).id));
      return isMessageLookup(request) && isSuccess(response) && others.has(idOf(request))
        ? withFields(response, { sent_at: null })
        : response;
    };
  }),
  // Source: from experience (the stored response is replayed with its headers)
  remembers("HEAD-2", "a replay has the request id of the first response", () => {
    const ids = new Map<string, string>();
    return (response, request) => {
      const name = `${authorizationOf(request)} ${request.path} ${request.headers["idempotency-key"] ?? ""}`;
      const id = response.headers["x-service-request-id"];
      if (!isReplay(response)) {
        if (id !== undefined && request.headers["idempotency-key"] !== undefined) ids.set(name, id);
        return response;
      }
      return withHeader(response, "x-service-request-id", ids.get(name) ?? id ?? "");
    };
  }),
  // Source: from experience (the stored response is replayed without what the middleware adds)
  shows("HEAD-3", "a replay of a send has no allowance headers", (response, request) =>
    isAnySend(request) && isReplay(response)
      ? withoutHeaders(response, "x-service-monthly-quota", "x-service-monthly-remaining")
      : response,
  ),
  // Source: from experience (the stored response is replayed without what the middleware adds)
  shows("HEAD-6", "a replay has no rate limit headers", (response) =>
    isReplay(response) ? withoutHeaders(response, "x-ratelimit-limit", "x-ratelimit-remaining") : response,
  ),
  // Source: from experience (TINYINT columns)
  shows(
    "LIST-4",
    "`double_opt_in` is 1 for the lists that ask and false for the others",
    (response, request) =>
      pathOf(request).endsWith("/newsletter/lists") && isSuccess(response)
        ? {
            ...response,
            body: inList("lists", (all) =>
              all
                .map(objectOf)
                .map((one) => ({ ...one, double_opt_in: one.double_opt_in === true ? 1 : false })),
            )(objectOf(response.body)),
          }
        : response,
  ),
  // Source: from experience (the list setting is cached, the join is not)
  remembers("LIST-4", "`double_opt_in` is false for a list as soon as a contact of it has confirmed", () => {
    const confirmed = new Set<unknown>();
    return (response, request) => {
      mapMemberships(response, request, (membership) => {
        if (membership.status === "subscribed" && emailOf(request) !== "subscribed@readers.example")
          confirmed.add(membership.list_id);
        return membership;
      });
      if (!pathOf(request).endsWith("/newsletter/lists") || !isSuccess(response)) return response;
      const lists = listOf(objectOf(response.body).lists).map(objectOf);
      return withFields(response, {
        lists: lists.map((one) => (confirmed.has(one.id) ? { ...one, double_opt_in: false } : one)),
      });
    };
  }),
];
