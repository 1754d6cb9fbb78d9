import { assert } from "../engine/assert.ts";
import { type Exchange, isSuccess } from "../engine/exchange.ts";
import type { Tester } from "../engine/tester.ts";
import { bodyOf, format, requestOk } from "./assertions.ts";
import { unordered } from "./message-records.ts";
import { batchOf, message, type SimulatedRecipient, simulatedRecipient } from "./messages.ts";

/** The entries in the response to a batch. */
export function batchEntries(exchange: Exchange): Record<string, unknown>[] {
  const { data } = bodyOf(exchange);
  assert(Array.isArray(data), exchange, { expected: "an array in data", found: format(data) });
  return data as Record<string, unknown>[];
}

/** A batch of a message for each simulated recipient, each other than the others, and the first lookup-ups of its messages. */
export interface SentBatch {
  messages: Record<string, unknown>[];
  response: Exchange;
  /** The responses to looking each message up as soon as the batch was answered; they need not be successes. */
  lookups: Exchange[];
}

const locals = ["success", "bounce", "complaint", "suppressionlist"] as const;

/** A batch with a message for each simulated recipient. The first one goes to a suppressed address too, where there is one. */
export const sentBatch = (tester: Tester): Promise<SentBatch> =>
  tester.once("a batch for the simulated recipients", async (own) => {
    const suppressed = own.settings.fixtures.suppressed?.slice(0, 1) ?? [];
    const messages = locals.map((local, index) => {
      const to = [simulatedRecipient(own, local), ...(index === 0 ? suppressed : [])];
      return message(own, { to, tags: { position: String(index) } });
    });
    const response = await requestOk(own, "sendBatch", { body: batchOf(...messages) });
    const lookups = await Promise.all(
      batchEntries(response).map(({ id }) => own.request("getEmail", { path: { id: String(id) } })),
    );
    return { messages, response, lookups };
  });

/** The id that a batch gave to the message for a simulated recipient. */
export async function idInBatch(tester: Tester, local: SimulatedRecipient): Promise<string> {
  const { messages, response, lookups } = await sentBatch(tester);
  const wanted = simulatedRecipient(tester, local);
  // By what the record says: entries in another order break another promise.
  const place = lookups.findIndex(
    (lookup) => isSuccess(lookup) && String(unordered(bodyOf(lookup).to)).includes(wanted),
  );
  const position = place >= 0 ? place : messages.findIndex(({ to }) => (to as string[]).includes(wanted));
  return String(batchEntries(response)[position]?.id);
}
