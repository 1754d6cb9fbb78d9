import { configured, NotVerified } from "../engine/assert.ts";
import type { Tester } from "../engine/tester.ts";
import type { Exchange } from "../exchange.ts";
import { bodyOf } from "./assertions.ts";
import { batchEntries, message, type SendKind, sendBy, simulatedRecipient } from "./messages.ts";

export const recipientFields = ["to", "cc", "bcc"] as const;
export type RecipientField = (typeof recipientFields)[number];

/** A suppressed recipient. */
export const suppressedRecipient = (tester: Tester): string =>
  String(configured(tester.settings.fixtures.suppressed, "suppressed")[0]);

/** One suppressed recipient per field. @throws NotVerified if fewer are configured */
export function suppressedPerField(tester: Tester): Record<RecipientField, string[]> {
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

/** The recipients of a message with a suppressed one in a field, and `success` in `to`. */
function partlySuppressed(tester: Tester, field: RecipientField): Record<string, unknown> {
  const [fine, gone] = [simulatedRecipient(tester), suppressedRecipient(tester)];
  // Before others, so that it shows if the next one is skipped, too.
  return field === "to"
    ? { to: [gone, fine, simulatedRecipient(tester, "complaint")] }
    : { to: [fine], [field]: [gone] };
}

export interface PartlySuppressed {
  exchange: Exchange;
  /** The response, or the entry of the response to a batch. */
  entry: () => Record<string, unknown>;
}

/** Sends messages with suppressed recipients once; `index` is that of the message whose entry a check looks at. */
async function sendOnce(
  tester: Tester,
  kind: SendKind,
  where: string,
  messages: (own: Tester) => Record<string, unknown>[],
  index = 0,
): Promise<PartlySuppressed> {
  const exchange = await tester.once(`${kind} with suppressed recipients in ${where}`, (own) =>
    sendBy(own, kind, messages(own)),
  );
  return {
    exchange,
    entry: () => (kind === "sendBatch" ? (batchEntries(exchange)[index] ?? {}) : bodyOf(exchange)),
  };
}

/** A send to a reachable recipient and, in one field, a suppressed one. */
export function sendPartlySuppressed(
  tester: Tester,
  kind: SendKind,
  field: RecipientField,
): Promise<PartlySuppressed> {
  const fields = kind === "sendBatch" ? recipientFields : [field];
  const messages = (own: Tester) => fields.map((one) => message(own, partlySuppressed(own, one)));
  return sendOnce(tester, kind, fields.join(), messages, fields.indexOf(field));
}

/** A send to a reachable recipient and, in every field, suppressed ones. */
export async function sendEverySuppressed(
  tester: Tester,
  kind: SendKind,
): Promise<PartlySuppressed & { gone: string[] }> {
  const recipients = everySuppressed(tester);
  const sent = await sendOnce(tester, kind, "every field", (own) => [
    message(own, { ...recipients, to: [simulatedRecipient(own), ...recipients.to] }),
  ]);
  return { ...sent, gone: Object.values(recipients).flat() };
}
