import type { Acceptance, AcceptanceOutcome, ContactChange, ContactOutcome } from "../../domain/store.ts";
import type { Epoch } from "./epoch.ts";

/** Accepts messages or rejects them, in a group with other calls. */
export async function accept(epoch: Epoch, acceptance: Acceptance): Promise<AcceptanceOutcome> {
  const { accountId, now, recipients, idempotency } = acceptance;
  const outcome = await epoch.writes.add({
    ...{ accountId, now, recipients, idempotency, contact: null },
    decide: (suppressed) => acceptance.decide(suppressed),
  });
  if ("response" in outcome) return { response: outcome.response, replayed: false, used: outcome.used };
  return outcome;
}

/** Changes a contact and stores the email that goes to it because of that, in a group with other calls. */
export async function changeContact<Result>(
  epoch: Epoch,
  change: ContactChange<Result>,
): Promise<ContactOutcome<Result>> {
  const { accountId, email, now, idempotency } = change;
  const outcome = await epoch.writes.add({
    ...{ accountId, now, recipients: [email], idempotency, contact: email },
    decide: (suppressed, before) => {
      const { contact, mail, response, result } = change.decide(before, suppressed.size > 0);
      return { messages: mail === undefined ? [] : [mail], counted: null, contact, response, result };
    },
  });
  if ("error" in outcome) throw outcome.error;
  if ("replay" in outcome) return outcome;
  return { response: outcome.response, result: outcome.result as Result };
}
