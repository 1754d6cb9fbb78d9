import { onServer, validationChecks } from "../bounds/bounds.ts";
import type { Check } from "../engine/check.ts";
import type { Settings } from "../engine/settings.ts";
import { account } from "./account.ts";
import { attachments } from "./attachments.ts";
import { authentication } from "./authentication.ts";
import { abilities } from "./authentication-abilities.ts";
import { accounts } from "./authentication-accounts.ts";
import { products } from "./authentication-products.ts";
import { rejectedRequests } from "./authentication-rejections.ts";
import { batches } from "./batch.ts";
import { contacts } from "./contacts.ts";
import { fieldValues } from "./contacts-custom-fields.ts";
import { consent, contactRecords } from "./contacts-lookup.ts";
import { delivery } from "./delivery.ts";
import { errors } from "./errors.ts";
import { everyEntry } from "./errors-every-entry.ts";
import { gatewayResponses } from "./errors-gateway.ts";
import { unreadableBodies } from "./errors-unreadable.ts";
import { events } from "./events.ts";
import { general } from "./general.ts";
import { generated } from "./generated-values.ts";
import { headers } from "./headers.ts";
import { idempotency } from "./idempotency.ts";
import { idempotencyConflicts } from "./idempotency-conflicts.ts";
import { replays } from "./idempotency-replays.ts";
import { isolation } from "./isolation.ts";
import { limits } from "./limits.ts";
import { quota } from "./limits-quota.ts";
import { lists } from "./lists.ts";
import { lookup } from "./lookup.ts";
import { recordStates } from "./lookup-states.ts";
import { mail } from "./mail.ts";
import { memberships } from "./membership.ts";
import { membershipStates } from "./membership-states.ts";
import { membershipWrites } from "./membership-writes.ts";
import { pages } from "./pages.ts";
import { scheduling } from "./scheduling.ts";
import { rescheduling } from "./scheduling-changes.ts";
import { rejectedChanges } from "./scheduling-rejections.ts";
import { sending } from "./sending.ts";
import { suppression } from "./sending-suppression.ts";
import { sequenceChecks } from "./sequences.ts";
import { simulator } from "./simulator.ts";
import { unsubscribing } from "./unsubscribe.ts";

/** All checks of a stateful server, in the order of the requirement topics. */
export function checksOfServer({ fixtures }: Pick<Settings, "fixtures">): Check[] {
  return [
    ...general,
    ...authentication,
    ...abilities,
    ...rejectedRequests,
    ...accounts,
    ...isolation,
    ...products,
    ...errors,
    ...unreadableBodies,
    ...gatewayResponses,
    ...headers,
    ...limits,
    ...quota,
    ...account,
    ...sending,
    ...suppression,
    ...attachments,
    ...mail,
    ...batches,
    ...lookup,
    ...recordStates,
    ...scheduling,
    ...rescheduling,
    ...rejectedChanges,
    ...delivery,
    ...simulator,
    ...events,
    ...idempotency,
    ...idempotencyConflicts,
    ...replays,
    ...lists,
    ...contacts,
    ...consent,
    ...fieldValues,
    ...contactRecords,
    ...memberships,
    ...membershipStates,
    ...membershipWrites,
    ...unsubscribing,
    ...pages,
    ...generated,
    ...everyEntry,
    ...sequenceChecks,
    ...validationChecks(onServer(fixtures)),
  ];
}
