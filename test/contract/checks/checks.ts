import { boundsOf, onServer } from "../bounds/bounds.ts";
import { ofBatch, ofContact, ofReschedule, ofSend, ofUnsubscribe } from "../bounds/laws.ts";
import type { Check } from "../engine/check.ts";
import type { Settings } from "../engine/settings.ts";
import { abilities } from "./abilities.ts";
import { accounts } from "./accounts.ts";
import { authentication } from "./authentication.ts";
import { consent, contactRecords } from "./contact-records.ts";
import { contacts } from "./contacts.ts";
import { fieldValues } from "./field-values.ts";
import { customFields } from "./fields.ts";
import { idempotency } from "./idempotency.ts";
import { lists } from "./lists.ts";
import { memberships } from "./membership.ts";
import { membershipStates } from "./membership-states.ts";
import { products } from "./products.ts";
import { senders } from "./senders.ts";
import { unsubscribing } from "./unsubscribe.ts";

/** Every check of a server that keeps state, in the order of the requirements' topics. */
export function checksOfServer({ fixtures, runId }: Pick<Settings, "fixtures" | "runId">): Check[] {
  const way = onServer(fixtures, runId);
  return [
    ...authentication,
    ...abilities,
    ...accounts,
    ...products,
    ...senders,
    ...idempotency,
    ...lists,
    ...customFields,
    ...contacts,
    ...consent,
    ...fieldValues,
    ...contactRecords,
    ...memberships,
    ...membershipStates,
    ...unsubscribing,
    ...boundsOf("sendEmail", ofSend, way),
    ...boundsOf("sendBatch", ofBatch, way),
    ...boundsOf("rescheduleEmail", ofReschedule, way),
    ...boundsOf("upsertContact", ofContact, way),
    ...boundsOf("unsubscribeContact", ofUnsubscribe, way),
  ];
}
