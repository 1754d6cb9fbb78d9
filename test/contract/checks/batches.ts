import { assert } from "../engine/assert.ts";
import { type Exchange, isSuccess } from "../engine/exchange.ts";
import type { Tester } from "../engine/tester.ts";
import {
  batchOf,
  bodyOf,
  format,
  message,
  requestOk,
  type SimulatedRecipient,
  simulatedRecipient,
} from "./kit.ts";
import { inAnyOrder } from "./records.ts";

/** The entries in the answer to a batch. */
export function entriesIn(exchange: Exchange): Record<string, unknown>[] {
  const { data } = bodyOf(exchange);
  assert(Array.isArray(data), exchange, { expected: "an array in data", found: format(data) });
  return data as Record<string, unknown>[];
}

/** A batch of a message for each simulated recipient, each other than the others, and the first look-ups of its messages. */
export interface BatchJourney {
  messages: Record<string, unknown>[];
  answer: Exchange;
  /** The answers to looking each message up as soon as the batch was answered; they need not be successes. */
  looks: Exchange[];
}

const locals = ["success", "bounce", "complaint", "suppressionlist"] as const;

/** A batch with a message for each simulated recipient. The first one goes to a suppressed address too, where there is one. */
export const batchJourney = (tester: Tester): Promise<BatchJourney> =>
  tester.once("a batch for the simulated recipients", async (own) => {
    const suppressed = own.settings.fixtures.suppressed?.slice(0, 1) ?? [];
    const messages = locals.map((local, index) => {
      const to = [simulatedRecipient(own, local), ...(index === 0 ? suppressed : [])];
      return message(own, { to, tags: { position: String(index) } });
    });
    const answer = await requestOk(own, "sendBatch", { body: batchOf(...messages) });
    const looks = await Promise.all(
      entriesIn(answer).map(({ id }) => own.request("getEmail", { path: { id: String(id) } })),
    );
    return { messages, answer, looks };
  });

/** The id that a batch gave to the message for a simulated recipient. */
export async function idInBatch(tester: Tester, local: SimulatedRecipient): Promise<string> {
  const { messages, answer, looks } = await batchJourney(tester);
  const wanted = simulatedRecipient(tester, local);
  // By what the record says: entries in another order break another promise.
  const place = looks.findIndex(
    (look) => isSuccess(look) && String(inAnyOrder(bodyOf(look).to)).includes(wanted),
  );
  const position = place >= 0 ? place : messages.findIndex(({ to }) => (to as string[]).includes(wanted));
  return String(entriesIn(answer)[position]?.id);
}
