import { assert, configured, NotVerified } from "../engine/assert.ts";
import type { Tester } from "../engine/tester.ts";
import type { Exchange, RequestOptions } from "../exchange.ts";
import { requestOk } from "./assertions.ts";
import { batchOf, message, simulatedRecipient } from "./messages.ts";
import { limitHeaderOrNaN } from "./rate-limit.ts";
import { batchEntries } from "./sent-batch.ts";
import { pollUntilSent } from "./tracked-messages.ts";

/** An account that the rest of the suite does not send from, so that its quota shows what was sent. */
const key = "otherAccount";

export const quotaNeeds = ["keys.otherAccount", "simulatorDomain"] as const;

/** For each kind of request, how many more recipients were counted than were sent to. */
export interface Charges {
  replayedSend: Charge;
  replayedBatch: Charge;
  rejectedBatch: Charge;
  /** Messages of an accepted batch. */
  wholeBatch: Charge;
}

export interface Charge {
  surplus: number;
  /** The response that shows it. */
  exchange: Exchange;
}

/** Others may use the account at the same time; a server that counts wrong does so every time. */
const mostTries = 4;

/** The longest pause between attempts, in milliseconds, in case another run measures at the same time. */
const longestPause = 5000;

/** What replays and rejected batches count toward the quota. */
export const charges = (tester: Tester): Promise<Charges[]> =>
  tester.once("quota used by replays and batches", async (own) => {
    const found = [await measureCharges(own)];
    while (found.length < mostTries && Object.values(found.at(-1) ?? {}).some(isUnexpected)) {
      await own.run.time.wait(Math.random() * longestPause);
      found.push(await measureCharges(own));
    }
    return found;
  });

const isUnexpected = ({ surplus }: Charge): boolean => surplus !== 0;

/** Asserts that nothing was counted. */
export function assertNotCharged(all: readonly Charges[], name: keyof Charges, what: string): void {
  const { surplus, exchange } = least(all, name);
  if (surplus > 0 && all.some((one) => one[name].surplus !== surplus))
    throw new NotVerified(`Others send with keys.${key}: the number counted differs each time.`);
  assert(surplus <= 0, exchange, {
    expected: `nothing counted for ${what}`,
    found: `${surplus} more counted than sent`,
  });
}

/** Asserts that every recipient was counted. */
export function assertFullyCharged(all: readonly Charges[], name: keyof Charges, what: string): void {
  const { surplus, exchange } = least(all, name);
  assert(surplus >= 0, exchange, {
    expected: `every recipient of ${what} counted`,
    found: `${-surplus} fewer counted than sent`,
  });
}

/** The attempt with the lowest count: other users only add to it. */
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

/** Sends a batch and waits until it is sent, which is when it is counted. */
async function wholeBatch(tester: Tester, options: RequestOptions): Promise<void> {
  for (const { id } of batchEntries(await requestOk(tester, "sendBatch", options)))
    await pollUntilSent(tester, String(id), key);
}

/** Batches of two valid messages and one without a subject or from a nonexistent domain. */
async function rejectedBatches(tester: Tester): Promise<void> {
  const { subject: _, ...bad } = ownMessage(tester);
  for (const one of [bad, { ...ownMessage(tester), from: `contract@${tester.settings.runId}.example` }])
    await tester.request("sendBatch", { key, body: batchOf(ownMessage(tester), ownMessage(tester), one) });
}

function charge(before: Exchange, after: Exchange, sent: number): Charge {
  const [earlier, later] = [remainingOf(before), remainingOf(after)];
  if (later <= 0) throw new NotVerified(`The quota of keys.${key} is exhausted.`);
  if (later > earlier) throw new NotVerified("A new month has begun, which resets the quota.");
  return { surplus: earlier - later - sent, exchange: after };
}

/**
 * The remaining quota in a response.
 * @throws NotVerified if it is missing, which fails another check
 */
function remainingOf(exchange: Exchange): number {
  const left = limitHeaderOrNaN(exchange, "allowance");
  if (Number.isNaN(left)) throw new NotVerified("The responses do not report the remaining quota.");
  return left;
}
