import { onServer, validationChecks } from "../case-requirements/validation-checks.ts";
import type { Check } from "../engine/check.ts";
import type { Settings } from "../engine/settings.ts";
import { attachments } from "./attachments.ts";
import { abilities, accounts, authentication, products, rejectedRequests } from "./authentication.ts";
import { batches } from "./batch.ts";
import { contacts } from "./contacts.ts";
import { delivery, events, simulator } from "./delivery.ts";
import { errors, everyEntry, gatewayResponses, unreadableBodies } from "./errors.ts";
import { account, generated, headers } from "./general.ts";
import { idempotency, idempotencyConflicts, replays } from "./idempotency.ts";
import { isolatedContacts, isolation } from "./isolation.ts";
import { limits, quota } from "./limits.ts";
import { lists } from "./lists.ts";
import { lookup, recordStates } from "./lookup.ts";
import { mail } from "./mail.ts";
import { membershipStates, memberships, membershipWrites } from "./membership.ts";
import { pages } from "./pages.ts";
import { rejectedChanges, rescheduling, scheduling } from "./scheduling.ts";
import { sending, suppression } from "./sending.ts";
import { sequenceChecks } from "./sequences.ts";
import { unsubscribing } from "./unsubscribe.ts";

/** All checks of a stateful server, in the order of the requirement topics. */
export function checksOfServer({ fixtures }: Pick<Settings, "fixtures">): Check[] {
  return [
    ...authentication,
    ...abilities,
    ...rejectedRequests,
    ...accounts,
    ...isolation,
    ...isolatedContacts,
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
