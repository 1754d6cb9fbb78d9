import { changeRecords } from "./email.ts";
import type { Mutant, RequirementId } from "./mutant.ts";
import {
  changeMemberships,
  isContactLookup,
  isUnsubscribe,
  isUpsert,
  type Json,
  objectOf,
} from "./newsletter.ts";

const isOfBatch = (record: Json): boolean =>
  String(record.id).startsWith("sched_") && record.scheduled_at === null;
const localPartOf = ({ to }: Json): string => String([to].flat()[0]).split("@")[0] ?? "";
const now = "2026-01-01T00:00:00Z";

/** Sets a property in the records of messages in a status. */
const inState = (
  requirement: RequirementId,
  title: string,
  property: string,
  value: unknown,
  applies: (record: Json) => boolean,
): Mutant =>
  changeRecords(requirement, title, (record) =>
    applies(record) ? { ...record, [property]: value } : record,
  );

const bounce = {
  type: "none",
  subtype: "none",
  permanent: false,
  summary: "",
  what_to_do: "",
  diagnostic: "",
};

const isNotSent = ({ status }: Json): boolean => status === "scheduled" || status === "canceled";

const ofMessages: Mutant[] = [
  inState(
    "LOOK-9",
    "a bounced message has a scheduled_at that nobody set",
    "scheduled_at",
    now,
    (record) => record.status === "bounced" && !String(record.id).startsWith("sched_"),
  ),
  inState("LOOK-10", "a canceled message has sent_at", "sent_at", now, ({ status }) => status === "canceled"),
  inState("LOOK-10", "a sent message of a batch has no sent_at", "sent_at", null, isOfBatch),
  inState("LOOK-11", "a message has delivered_at before it is sent", "delivered_at", now, isNotSent),
  inState("LOOK-12", "a message has bounced_at before it is sent", "bounced_at", now, isNotSent),
  inState("LOOK-13", "a message has complained_at before it is sent", "complained_at", now, isNotSent),
  inState("LOOK-14", "a message has an empty bounce before it is sent", "bounce", bounce, isNotSent),
  inState("LOOK-12", "a bounced message of a batch has no bounced_at", "bounced_at", null, isOfBatch),
  inState(
    "LOOK-14",
    "a message on the block list bounces without a bounce",
    "bounce",
    null,
    (record) => localPartOf(record) === "suppressionlist",
  ),
];

const ofMemberships: Mutant[] = [
  changeMemberships("MEMB-9", "an unsubscribe shows no subscribed_at of the other lists", (one, request) =>
    isUnsubscribe(request) && one.status === "subscribed" ? { ...one, subscribed_at: null } : one,
  ),
  changeMemberships("MEMB-9", "a contact record of two lists has no subscribed_at", (one, request) =>
    isContactLookup(request) && one.list_id === 2 && one.status === "subscribed"
      ? { ...one, subscribed_at: null }
      : one,
  ),
  changeMemberships("MEMB-9", "an update of a pending contact sets subscribed_at", (one, request) =>
    isUpsert(request) && one.status === "pending" && objectOf(request.body).first_name !== undefined
      ? { ...one, subscribed_at: now }
      : one,
  ),
  changeMemberships("MEMB-10", "an unsubscribe of a pending contact sets no unsubscribed_at", (one) =>
    one.status === "unsubscribed" && one.subscribed_at === null ? { ...one, unsubscribed_at: null } : one,
  ),
];

/** Records with a property that their status sets or clears in another state. */
export const statePropertyMutants: Mutant[] = [...ofMessages, ...ofMemberships];
