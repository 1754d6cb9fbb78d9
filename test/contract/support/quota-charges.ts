import { assert, configured, NotVerified } from "../engine/assert.ts";
import type { Exchange, RequestOptions } from "../engine/exchange.ts";
import type { Tester } from "../engine/tester.ts";
import { requestOk } from "./assertions.ts";
import { batchOf, message, simulatedRecipient } from "./messages.ts";
import { limitHeaderOrNaN } from "./rate-limit.ts";
import { batchEntries } from "./sent-batch.ts";
import { pollUntilSent } from "./tracked-messages.ts";

/** An account that nothing else of the suite sends from, so that its allowance shows what was sent. */
const key = "otherAccount";

export const quotaNeeds = ["keys.otherAccount", "simulatorDomain"] as const;

/** How many more recipients an account was charged for than were sent to with success, by what was tried. */
export interface Charges {
  replayedSend: Charge;
  replayedBatch: Charge;
  rejectedBatch: Charge;
  /** Messages that were taken in a batch. */
  wholeBatch: Charge;
}

export interface Charge {
  surplus: number;
  /** The response that shows it. */
  exchange: Exchange;
}

/** Somebody else may use the account at the same time: what a server does wrong it does every time. */
const mostTries = 4;

/** The longest pause before it is tried again, in milliseconds: somebody else may try the same at the same time. */
const longestPause = 5000;

/** What replays and refused batches are charged: nothing, unless something is sent for them. */
export const charges = (tester: Tester): Promise<Charges[]> =>
  tester.once("what an account is charged for", async (own) => {
    const found = [await measureCharges(own)];
    while (found.length < mostTries && Object.values(found.at(-1) ?? {}).some(isUnexpected)) {
      await own.run.time.wait(Math.random() * longestPause);
      found.push(await measureCharges(own));
    }
    return found;
  });

const isUnexpected = ({ surplus }: Charge): boolean => surplus !== 0;

/** Nothing was charged for what was tried. */
export function assertNotCharged(all: readonly Charges[], name: keyof Charges, what: string): void {
  const { surplus, exchange } = least(all, name);
  if (surplus > 0 && all.some((one) => one[name].surplus !== surplus))
    throw new NotVerified(`Somebody else sends with keys.${key}: each time another number was charged.`);
  assert(surplus <= 0, exchange, {
    expected: `nothing charged for ${what}`,
    found: `${surplus} more taken from the allowance than was sent`,
  });
}

/** No less was charged for what was sent than its recipients. */
export function assertFullyCharged(all: readonly Charges[], name: keyof Charges, what: string): void {
  const { surplus, exchange } = least(all, name);
  assert(surplus >= 0, exchange, {
    expected: `every recipient charged of ${what}`,
    found: `${-surplus} fewer taken from the allowance than were sent to`,
  });
}

/** What was charged when others charged least: they only add to it. */
function least(all: readonly Charges[], name: keyof Charges): Charge {
  const [first] = all.map((one) => one[name]).sort((one, other) => one.surplus - other.surplus);
  if (first === undefined) throw new NotVerified(`Nothing was sent with keys.${key}.`);
  return first;
}

async function measureCharges(tester: Tester): Promise<Charges> {
  const keyed = (body: unknown): RequestOptions => ({
    key,
    body,
    headers: { "Idempotency-Key": tester.run.unique() },
  });
  const single = keyed(ownMessage(tester));
  const many = keyed(batchOf(ownMessage(tester)));
  const first = await requestOk(tester, "sendEmail", single);
  await tester.request("sendEmail", single);
  const second = await requestOk(tester, "sendEmail", { key, body: ownMessage(tester) });
  await requestOk(tester, "sendBatch", many);
  await tester.request("sendBatch", many);
  await wholeBatch(tester, keyed(batchOf(ownMessage(tester))));
  const third = await requestOk(tester, "sendEmail", { key, body: ownMessage(tester) });
  await rejectedBatches(tester);
  const copied = { ...ownMessage(tester), cc: [simulatedRecipient(tester, "complaint")] };
  await wholeBatch(tester, keyed(batchOf(ownMessage(tester), copied)));
  const fourth = await requestOk(tester, "sendEmail", { key, body: ownMessage(tester) });
  const last = charge(third, fourth, 4);
  return {
    replayedSend: charge(first, second, 1),
    replayedBatch: charge(second, third, 3),
    rejectedBatch: last,
    wholeBatch: last,
  };
}

const ownMessage = (tester: Tester): Record<string, unknown> => {
  const domain = configured(tester.settings.fixtures.domains?.ofRole?.[key], `domains.ofRole.${key}`);
  return message(tester, { from: `contract@${domain}` });
};

/** Sends a batch, and waits until it has gone out: its messages are charged then. */
async function wholeBatch(tester: Tester, options: RequestOptions): Promise<void> {
  for (const { id } of batchEntries(await requestOk(tester, "sendBatch", options)))
    await pollUntilSent(tester, String(id), key);
}

/** Batches of two messages that can be sent, and one that lacks its subject or comes from a domain that nobody has. */
async function rejectedBatches(tester: Tester): Promise<void> {
  const { subject: _, ...bad } = ownMessage(tester);
  for (const one of [bad, { ...ownMessage(tester), from: `contract@${tester.settings.runId}.example` }])
    await tester.request("sendBatch", { key, body: batchOf(ownMessage(tester), ownMessage(tester), one) });
}

function charge(before: Exchange, after: Exchange, sent: number): Charge {
  const [earlier, later] = [remainingOf(before), remainingOf(after)];
  if (later <= 0) throw new NotVerified(`The allowance of keys.${key} is used up.`);
  if (later > earlier) throw new NotVerified("A new month has begun: the allowance is whole again.");
  return { surplus: earlier - later - sent, exchange: after };
}

/** What is left of the allowance, as an response tells. @throws NotVerified where it does not: that breaks another promise */
function remainingOf(exchange: Exchange): number {
  const left = limitHeaderOrNaN(exchange, "allowance");
  if (Number.isNaN(left)) throw new NotVerified("The answers do not tell what is left of the allowance.");
  return left;
}
