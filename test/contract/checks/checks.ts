import { boundsOf, onServer } from "../bounds/bounds.ts";
import { ofBatch, ofContact, ofReschedule, ofSend, ofUnsubscribe } from "../bounds/laws.ts";
import type { Check } from "../engine/check.ts";
import type { Settings } from "../engine/settings.ts";
import { abilities } from "./abilities.ts";
import { account } from "./account.ts";
import { accounts } from "./accounts.ts";
import { attachments } from "./attachments.ts";
import { authentication } from "./authentication.ts";
import { batches } from "./batch.ts";
import { consent, contactRecords } from "./contact-records.ts";
import { contacts } from "./contacts.ts";
import { delivery } from "./delivery.ts";
import { errors } from "./errors.ts";
import { events } from "./events.ts";
import { fieldValues } from "./field-values.ts";
import { customFields } from "./fields.ts";
import { front } from "./front.ts";
import { general } from "./general.ts";
import { generated } from "./generated.ts";
import { headers } from "./headers.ts";
import { idempotency } from "./idempotency.ts";
import { laterEntries } from "./later-entries.ts";
import { limits } from "./limits.ts";
import { lists } from "./lists.ts";
import { lookup } from "./lookup.ts";
import { memberships } from "./membership.ts";
import { membershipStates } from "./membership-states.ts";
import { products } from "./products.ts";
import { recordStates } from "./record-states.ts";
import { refusedCalls } from "./refused-calls.ts";
import { refusedChanges } from "./refused-changes.ts";
import { replays } from "./replays.ts";
import { rescheduling } from "./rescheduling.ts";
import { sameKey } from "./same-key.ts";
import { scheduledProblems } from "./scheduled-problems.ts";
import { scheduling } from "./scheduling.ts";
import { senders } from "./senders.ts";
import { sending } from "./sending.ts";
import { simulator } from "./simulator.ts";
import { suppression } from "./suppression.ts";
import { unsubscribing } from "./unsubscribe.ts";

/** Every check of a server that keeps state, in the order of the requirements' topics. */
export function checksOfServer({ fixtures }: Pick<Settings, "fixtures">): Check[] {
  const way = onServer(fixtures);
  return [
    ...general,
    ...authentication,
    ...abilities,
    ...refusedCalls,
    ...accounts,
    ...products,
    ...senders,
    ...errors,
    ...front,
    ...headers,
    ...limits,
    ...account,
    ...sending,
    ...suppression,
    ...attachments,
    ...batches,
    ...lookup,
    ...recordStates,
    ...scheduling,
    ...scheduledProblems,
    ...rescheduling,
    ...refusedChanges,
    ...delivery,
    ...simulator,
    ...events,
    ...idempotency,
    ...sameKey,
    ...replays,
    ...lists,
    ...customFields,
    ...contacts,
    ...consent,
    ...fieldValues,
    ...contactRecords,
    ...memberships,
    ...membershipStates,
    ...unsubscribing,
    ...generated,
    ...laterEntries,
    ...boundsOf("sendEmail", ofSend, way),
    ...boundsOf("sendBatch", ofBatch, way),
    ...boundsOf("rescheduleEmail", ofReschedule, way),
    ...boundsOf("upsertContact", ofContact, way),
    ...boundsOf("unsubscribeContact", ofUnsubscribe, way),
  ];
}
