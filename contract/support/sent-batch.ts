import { assert } from "../engine/assert.ts";
import type { Tester } from "../engine/tester.ts";
import { type Exchange, isSuccess } from "../exchange.ts";
import { bodyOf, format, requestOk } from "./assertions.ts";
import { unordered } from "./message-records.ts";
import { batchOf, message, type SimulatedRecipient, simulatedRecipient } from "./messages.ts";
import { isFinal, pollMessage } from "./tracked-messages.ts";

export function batchEntries(exchange: Exchange): Record<string, unknown>[] {
  const { data } = bodyOf(exchange);
  assert(Array.isArray(data), exchange, { expected: "an array in data", found: format(data) });
  return data as Record<string, unknown>[];
}

/** A batch with one distinct message per simulated recipient, and the first lookups of its messages. */
export interface SentBatch {
  messages: Record<string, unknown>[];
  response: Exchange;
  /** The lookups right after the response to the batch; they may be errors. */
  lookups: Exchange[];
}

const locals = ["success", "bounce", "complaint", "suppressionlist"] as const;

/** The first message also goes to a suppressed recipient, if one is configured. */
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

/** The id of the batch's message to a simulated recipient. */
export async function idInBatch(tester: Tester, local: SimulatedRecipient): Promise<string> {
  const { messages, response, lookups } = await sentBatch(tester);
  const wanted = simulatedRecipient(tester, local);
  // Found by its record, because entries in the wrong order fail another check.
  const place = lookups.findIndex(
    (lookup) => isSuccess(lookup) && String(unordered(bodyOf(lookup).to)).includes(wanted),
  );
  const position = place >= 0 ? place : messages.findIndex(({ to }) => (to as string[]).includes(wanted));
  return String(batchEntries(response)[position]?.id);
}

/** The lookups of the batch's message to a simulated recipient, until its final status or the deadline for delivery. */
export const trackedInBatch = (tester: Tester, local: SimulatedRecipient): Promise<Exchange[]> =>
  tester.once(`a message of a batch to ${local}`, async (own) =>
    pollMessage(own, await idInBatch(own, local), isFinal(local), {
      deadline: own.settings.deadlines.delivery,
    }),
  );
