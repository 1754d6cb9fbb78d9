import { onServer, validationChecks } from "../case-requirements/validation-checks.ts";
import { type Check, checksIn } from "../engine/check.ts";
import type { Settings } from "../engine/settings.ts";
import * as attachments from "./attachments.ts";
import * as authentication from "./authentication.ts";
import * as batch from "./batch.ts";
import * as concurrency from "./concurrency.ts";
import * as contacts from "./contacts.ts";
import * as delivery from "./delivery.ts";
import * as errors from "./errors.ts";
import * as fidelity from "./fidelity.ts";
import * as general from "./general.ts";
import * as idempotency from "./idempotency.ts";
import * as isolation from "./isolation.ts";
import * as limits from "./limits.ts";
import * as lists from "./lists.ts";
import * as lookup from "./lookup.ts";
import * as mail from "./mail.ts";
import * as membership from "./membership.ts";
import * as pages from "./pages.ts";
import * as robustness from "./robustness.ts";
import * as scheduling from "./scheduling.ts";
import * as sending from "./sending.ts";
import * as sequences from "./sequences.ts";
import * as sizes from "./sizes.ts";
import * as unsubscribe from "./unsubscribe.ts";

/** All checks of a stateful server, in the order of the requirement topics. */
export const checksOfServer = ({ fixtures }: Pick<Settings, "fixtures">): Check[] => [
  ...checksIn([
    authentication,
    isolation,
    errors,
    robustness,
    general,
    limits,
    sending,
    attachments,
    mail,
    batch,
    lookup,
    scheduling,
    delivery,
    fidelity,
    idempotency,
    lists,
    contacts,
    membership,
    unsubscribe,
    concurrency,
    pages,
    sizes,
    sequences,
  ]),
  ...validationChecks(onServer(fixtures)),
];
