import { headers } from "../../generated/headers.ts";
import type { RequestContext, Services, Success } from "../api/context.ts";
import { type ErrorOf, ErrorResponse, errorResponse } from "../api/error-response.ts";
import { type MailRules, usualDelays } from "../domain/due.ts";
import type { Draft } from "../domain/new-message.ts";
import { senderFault } from "../domain/sender.ts";
import { largestMessage, messageSize } from "../domain/size.ts";
import type { Decision } from "../domain/store.ts";
import { tooLarge } from "../middleware/body.ts";
import { replay } from "../middleware/idempotency.ts";

/** The rows of the error table that sends may answer with. */
export type SendError = ErrorOf<"sendEmail"> & ErrorOf<"sendBatch">;

/** Seconds to wait at the sending ceiling. When it is lifted, nobody knows. */
const ceilingWait = { [headers.OptionalRetryAfter.name]: "3600" };

/** Refuses a message that is too large, or that this key and account must not send. `place` names it in a batch. */
export function checkSending(
  draft: Draft,
  exchange: RequestContext,
  parts: Services,
  place: string,
): ErrorResponse<SendError> | undefined {
  if (messageSize(draft.content) > largestMessage) return tooLarge;
  const { account, key } = exchange;
  const fault = senderFault(draft.from, key, account, parts.directory.domains(account.id));
  if (fault === undefined) return undefined;
  return errorResponse(
    fault.id,
    place + fault.message,
    fault.id === "429.send_rejected" ? ceilingWait : null,
  );
}

/** Refuses a message of which no recipient is left. */
export function allSuppressed(place: string): ErrorResponse<"422.send_rejected"> {
  return errorResponse("422.send_rejected", `${place}Sending to every recipient has stopped.`);
}

/** Every address that messages go to, in lower case. */
export function addressesOf(drafts: readonly Draft[]): string[] {
  const addresses: string[] = [];
  for (const { recipients } of drafts) {
    for (const address of recipients.to) addresses.push(address.toLowerCase());
    for (const address of recipients.cc) addresses.push(address.toLowerCase());
    for (const address of recipients.bcc) addresses.push(address.toLowerCase());
  }
  return addresses;
}

/** Hands messages to the store, which takes them all or none, and does nothing for work that was done before. */
export async function take(
  exchange: RequestContext,
  parts: Services,
  drafts: readonly Draft[],
  decide: (suppressed: ReadonlySet<string>) => Decision,
): Promise<Success | ErrorResponse<SendError>> {
  const { account, now, idempotency: work } = exchange;
  const recipients = addressesOf(drafts);
  const outcome = await parts.store.accept({
    accountId: account.id,
    now,
    recipients,
    idempotency: work,
    decide,
  });
  if ("replay" in outcome) {
    if (work === null) throw new Error("The store replayed work that has no name.");
    return replay(outcome.replay, work, await parts.store.used(account.id, now));
  }
  if ("response" in outcome) {
    return { status: outcome.response.status, body: outcome.response.body, used: outcome.used };
  }
  if (outcome.error instanceof ErrorResponse) return outcome.error;
  throw new Error("The store refused messages without saying why.");
}

/** What mail does here: how long it takes, and where simulated recipients are. */
export function mailRules({ directory, delays = usualDelays }: Services): MailRules {
  return { simulatorDomain: directory.simulatorDomain, delays };
}
