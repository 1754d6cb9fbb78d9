import { configured, NotVerified } from "../engine/assert.ts";
import type { Tester } from "../engine/tester.ts";
import { bodyOf } from "./assertions.ts";
import { batchEntries, message, type SendKind, sendBy, simulatedRecipient } from "./messages.ts";

export const recipientFields = ["to", "cc", "bcc"] as const;

export const suppressedRecipient = (tester: Tester): string =>
  String(configured(tester.settings.fixtures.suppressed, "suppressed")[0]);

/** One suppressed recipient per field. @throws NotVerified if fewer are configured */
export function suppressedPerField(tester: Tester): Record<(typeof recipientFields)[number], string[]> {
  const [to, cc, bcc] = configured(tester.settings.fixtures.suppressed, "suppressed");
  if (to === undefined || cc === undefined || bcc === undefined)
    throw new NotVerified("suppressed has fewer than three email addresses, one for each of to, cc and bcc.");
  return { to: [to], cc: [cc], bcc: [bcc] };
}

/** Suppressed recipients: one per field, or all in `to` if fewer than three are configured. */
export function everySuppressed(tester: Tester): { to: string[]; cc?: string[]; bcc?: string[] } {
  const all = configured(tester.settings.fixtures.suppressed, "suppressed");
  return all.length < recipientFields.length ? { to: all } : suppressedPerField(tester);
}

/** A send to reachable recipients and, in every field, suppressed ones. */
export async function sendEverySuppressed(tester: Tester, kind: SendKind) {
  const recipients = everySuppressed(tester);
  const reachable = [simulatedRecipient(tester, "complaint"), simulatedRecipient(tester)];
  // Before others, so that it shows if the next one is skipped.
  const exchange = await tester.once(`${kind} with suppressed recipients in every field`, (own) =>
    sendBy(own, kind, [message(own, { ...recipients, to: [...recipients.to, ...reachable] })]),
  );
  return {
    exchange,
    reachable,
    gone: Object.values(recipients).flat(),
    /** The response, or the entry of the response to a batch. */
    entry: () => (kind === "sendBatch" ? (batchEntries(exchange)[0] ?? {}) : bodyOf(exchange)),
  };
}
