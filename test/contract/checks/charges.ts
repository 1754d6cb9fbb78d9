import type { Exchange } from "../engine/exchange.ts";
import { given, must, NotVerified } from "../engine/promise.ts";
import type { Asked, Tester } from "../engine/tester.ts";
import { entriesIn } from "./batches.ts";
import { untilGone } from "./journeys.ts";
import { batch, good, message } from "./kit.ts";

/** An account that nothing else of the suite sends from, so that its allowance shows what was sent. */
const key = "otherAccount";
export const chargesNeeds = ["keys.otherAccount", "simulatorDomain"] as const;

/** How many more recipients an account was charged for than were sent to with success, by what was tried. */
export interface Charges {
  replayedSend: Charge;
  replayedBatch: Charge;
  refusedBatch: Charge;
}

export interface Charge {
  surplus: number;
  /** The answer that shows it. */
  exchange: Exchange;
}

const header = "x-service-monthly-remaining";
/** Somebody else may use the account at the same time: what is seen once only is not the server's doing. */
const mostTries = 3;

/** What replays and refused batches are charged: nothing, unless something is sent for them. */
export const charges = (tester: Tester): Promise<Charges> =>
  tester.once("what an account is charged for", async (own) => {
    let found = await measured(own);
    for (let tries = 1; tries < mostTries && Object.values(found).some(isCharged); tries += 1)
      found = await measured(own);
    return found;
  });

const isCharged = ({ surplus }: Charge): boolean => surplus > 0;

/** Nothing was charged for what was tried. */
export function noMoreThan(all: Charges, name: keyof Charges, what: string): void {
  const { surplus, exchange } = all[name];
  must(surplus <= 0, exchange, {
    expected: `nothing charged for ${what}`,
    found: `${surplus} more taken from the allowance than was sent`,
  });
}

async function measured(tester: Tester): Promise<Charges> {
  const keyed = (body: unknown): Asked => ({
    key,
    body,
    headers: { "Idempotency-Key": tester.run.unique() },
  });
  const single = keyed(ownMessage(tester));
  const many = keyed(batch(ownMessage(tester)));
  const first = await good(tester, "sendEmail", single);
  await tester.ask("sendEmail", single);
  const second = await good(tester, "sendEmail", { key, body: ownMessage(tester) });
  await good(tester, "sendBatch", many);
  await tester.ask("sendBatch", many);
  await wholeBatch(tester, keyed(batch(ownMessage(tester))));
  const third = await good(tester, "sendEmail", { key, body: ownMessage(tester) });
  await refusedBatch(tester);
  await wholeBatch(tester, keyed(batch(ownMessage(tester))));
  const fourth = await good(tester, "sendEmail", { key, body: ownMessage(tester) });
  return {
    replayedSend: charge(first, second, 1),
    replayedBatch: charge(second, third, 3),
    refusedBatch: charge(third, fourth, 2),
  };
}

const ownMessage = (tester: Tester): Record<string, unknown> => {
  const domain = given(tester.settings.fixtures.domains?.ofRole?.[key], `domains.ofRole.${key}`);
  return message(tester, { from: `contract@${domain}` });
};

/** Sends a batch, and waits until it has gone out: its messages are charged then. */
async function wholeBatch(tester: Tester, asked: Asked): Promise<void> {
  const [entry] = entriesIn(await good(tester, "sendBatch", asked));
  await untilGone(tester, String(entry?.id), key);
}

/** A batch of two messages that can be sent and one that lacks its subject. */
async function refusedBatch(tester: Tester): Promise<void> {
  const { subject: _, ...bad } = ownMessage(tester);
  await tester.ask("sendBatch", { key, body: batch(ownMessage(tester), ownMessage(tester), bad) });
}

function charge(before: Exchange, after: Exchange, sent: number): Charge {
  const [earlier, later] = [before, after].map(({ headers }) => Number(headers[header] ?? Number.NaN));
  if (!Number.isInteger(earlier) || !Number.isInteger(later))
    throw new NotVerified(`The answers have no ${header} to read.`);
  if (Number(later) <= 0) throw new NotVerified(`The allowance of keys.${key} is used up.`);
  return { surplus: Number(earlier) - Number(later) - sent, exchange: after };
}
