import { limits } from "../../generated/limits.ts";
import type { OperationId } from "../../generated/operations.ts";
import { assert, NotVerified, OutsideRun } from "../engine/assert.ts";
import { type CaseOptions, caseOf, scenario, type TestCase } from "../engine/check.ts";
import { integerHeader } from "../engine/rate-limiter.ts";
import { isInRun } from "../engine/settings.ts";
import type { Tester } from "../engine/tester.ts";
import type { Exchange } from "../exchange.ts";
import { bodyOf, idOf, requestOk } from "./assertions.ts";
import { batchEntries, batchOf, hour, messageOfOther, secondsAhead } from "./messages.ts";
import {
  countOf,
  lackOfBatches,
  QuotaAccount,
  quotaKey,
  quotaNeeds,
  readingQuota,
  recipientsOfAllKinds,
  simulatedRecipients,
} from "./quota.ts";
import { atOnce } from "./races.ts";
import { quotaFailure, quotaRemaining } from "./rate-limit.ts";
import { newIdempotencyKey } from "./requests.ts";

/** What is done between two readings of the quota; resolves to the number of recipients that it sends to. */
type Step = (account: QuotaAccount) => Promise<number>;

async function sendTo(account: QuotaAccount, recipients: object): Promise<number> {
  const response = await account.send({ body: messageOfOther(account.tester, { ...recipients }) });
  return countOf(recipients, bodyOf(response));
}

/** The steps that the checks of the profile `core` need. */
const coreSteps = {
  replayedSend: async (account) => {
    await account.send(account.keyedSend);
    await account.request("sendEmail", account.keyedSend);
    return 1;
  },
  replayedBatch: async (account) => {
    await account.sendBatch(account.keyedBatch);
    await account.request("sendBatch", account.keyedBatch);
    return 1 + (await account.flush());
  },
  rejectedBatch: async (account) => {
    const { tester } = account;
    // Without a subject, and from a nonexistent domain.
    for (const fault of [{ subject: undefined }, { from: `contract@${tester.settings.runId}.example` }]) {
      const body = batchOf(messageOfOther(tester), messageOfOther(tester), messageOfOther(tester, fault));
      await account.request("sendBatch", { body });
    }
    return account.flush();
  },
  wholeBatch: async (account) => {
    const { tester } = account;
    const recipients = recipientsOfAllKinds(tester);
    const body = batchOf(messageOfOther(tester), messageOfOther(tester, recipients));
    const [, last] = batchEntries(await account.sendBatch({ body }));
    return 1 + countOf(recipients, last);
  },
} satisfies Record<string, Step>;

const otherSteps = {
  conflict: async (account) => {
    const { tester, keyedSend, keyedBatch } = account;
    await account.request("sendEmail", { ...keyedSend, body: messageOfOther(tester) });
    if (lackOfBatches(tester) !== undefined) return 0;
    await account.request("sendBatch", { ...keyedBatch, body: batchOf(messageOfOther(tester)) });
    return account.flush();
  },
  /** Three sends at the same time. */
  together: async ({ tester }) => {
    const sends = [1, 2, 3].map(() =>
      requestOk(tester, "sendEmail", { key: quotaKey, body: messageOfOther(tester) }),
    );
    return (await atOnce(sends)).length;
  },
  /** A send three times at the same time, then a batch twice, each with one idempotency key. */
  togetherWithKey: async (account) => {
    const { tester } = account;
    const send = { body: messageOfOther(tester), headers: newIdempotencyKey(tester) };
    await atOnce([1, 2, 3].map(() => account.request("sendEmail", send)));
    if (lackOfBatches(tester) !== undefined) return 1;
    const batch = { body: batchOf(messageOfOther(tester)), headers: newIdempotencyKey(tester) };
    await atOnce([1, 2].map(() => account.request("sendBatch", batch)));
    return 2 + (await account.flush());
  },
  simulated: (account) => sendTo(account, simulatedRecipients(account.tester)),
  copies: (account) => sendTo(account, recipientsOfAllKinds(account.tester, limits.recipientsPerField)),
  largestBatch: async (account) => {
    const { tester } = account;
    const messages = Array.from({ length: limits.batchMessages }, () => messageOfOther(tester));
    const sent = await requestOk(tester, "sendBatch", { key: quotaKey, body: batchOf(...messages) });
    await account.untilCounted(sent, account.responses.at(-1) as Exchange);
    return messages.length;
  },
  scheduled: async (account) => {
    const { tester } = account;
    const changes = { ...recipientsOfAllKinds(tester), scheduled_at: secondsAhead(tester, hour) };
    account.scheduledId = idOf(await account.send({ body: messageOfOther(tester, changes) }));
    return 0;
  },
  changed: async (account) => {
    const path = { id: account.scheduledId };
    const body = { scheduled_at: secondsAhead(account.tester, 2 * hour) };
    if (isInRun(account.tester.settings, "rescheduleEmail"))
      await account.request("rescheduleEmail", { path, body });
    await account.request("cancelEmail", { path });
    return 0;
  },
} satisfies Record<string, Step>;

type StepName = keyof typeof coreSteps | keyof typeof otherSteps;

const operationOf = (name: StepName) => (/Batch$/.test(name) ? "sendBatch" : "sendEmail");

/** What steps other than those with small batches need, if it is not `sendEmail` alone. */
const neededBy: Partial<Record<StepName, readonly OperationId[]>> = {
  largestBatch: ["sendBatch", ...readingQuota],
  changed: readingQuota,
};

/** The steps of a run, in order: later ones use what earlier ones sent. */
function stepsIn(tester: Tester): Record<string, Step> {
  if (tester.settings.profile !== "core") return { ...coreSteps, ...otherSteps };
  // In place of the batch of `core`.
  return lackOfBatches(tester) === undefined ? coreSteps : { ...coreSteps, copies: otherSteps.copies };
}

/** An operation that a step needs and the run does not have. */
const missingFor = (tester: Tester, name: StepName): OperationId | undefined =>
  operationOf(name) === "sendBatch" && name !== "largestBatch"
    ? lackOfBatches(tester)
    : (neededBy[name] ?? (["sendEmail"] as const)).find((one) => !isInRun(tester.settings, one));

/** How many more recipients were counted by a step than it sent to. */
interface QuotaCount {
  surplus: number;
  /** How many it sent to, and its first send. */
  recipients: number;
  made: Exchange;
  /** The responses that report the quota before and after it. */
  before: Exchange;
  exchange: Exchange;
}

/** Others may use the account at the same time; a server that counts wrong does so every time. */
const mostTries = 3;

/** The longest pause between attempts, in milliseconds, in case another run measures at the same time. */
const longestPause = 5000;

/** What requests of the account count toward its quota, measured again if it is not what it should be. */
export const measurements = scenario("what counts toward the quota", quotaNeeds, async (tester) => {
  const found = [await measure(tester)];
  while (found.length < mostTries && Object.values(found.at(-1)?.counts ?? {}).some(isUnexpected)) {
    await tester.run.time.wait(Math.random() * longestPause);
    found.push(await measure(tester));
  }
  return found;
});

const isUnexpected = ({ surplus }: QuotaCount): boolean => surplus !== 0 && !Number.isNaN(surplus);

/** Sends a message to one recipient after each step, if need be in a batch: its response reports the quota. */
async function measure(tester: Tester) {
  const account = new QuotaAccount(tester);
  const sendOne = (): Promise<Exchange> =>
    isInRun(tester.settings, "sendEmail")
      ? account.send({ body: messageOfOther(tester) })
      : account.sendBatch({ body: batchOf(messageOfOther(tester)) });
  const counts: Partial<Record<StepName, QuotaCount>> = {};
  let before = await sendOne();
  for (const [name, step] of Object.entries(stepsIn(tester))) {
    if (missingFor(tester, name as StepName) !== undefined) continue;
    const since = tester.exchanges.length;
    const recipients = await step(account);
    const isOf = ({ request }: Exchange): boolean => request.operation === operationOf(name as StepName);
    const made = tester.exchanges.slice(since).find(isOf);
    const exchange = await sendOne();
    const surplus = remainingOf(before) - remainingOf(exchange) - recipients - 1;
    counts[name as StepName] = { surplus, recipients, made: made ?? exchange, before, exchange };
    before = exchange;
  }
  return { counts, responses: account.responses };
}

/** The numbers of recipients of a send or batch: `2 in to, 2 in cc, 2 in bcc`. */
function recipientsText({ request: { body } }: Exchange): string {
  const { emails = [body] } = (body ?? {}) as { emails?: unknown[] };
  const messages = emails.map((message) =>
    ["to", "cc", "bcc"].flatMap((name) => {
      const { [name]: list } = (message ?? {}) as Record<string, unknown[] | undefined>;
      return list === undefined ? [] : [`${list.length} in ${name}`];
    }),
  );
  return messages.length > 3
    ? `${messages.length} messages`
    : messages.map((one) => one.join(", ")).join("; ");
}

/**
 * The remaining quota in a response.
 * @throws NotVerified if it is missing, which fails another check, or exhausted
 */
function remainingOf(exchange: Exchange): number {
  const left = integerHeader(exchange, "allowance");
  if (Number.isNaN(left)) throw new NotVerified("The responses do not report the remaining quota.");
  if (left === 0) throw new NotVerified(`The quota of keys.otherAccount is exhausted.`);
  return left;
}

/** Steps about requests that must send nothing: that they count fewer than others sent fails other cases. */
const withoutSends = ["replayedSend", "replayedBatch", "rejectedBatch", "conflict"];

/** A step counts each recipient that it sends to, once. */
export const countCase = (title: string, name: StepName, options: CaseOptions = {}): TestCase =>
  caseOf(measurements, title, options, (all, tester) => {
    const missing = missingFor(tester, name);
    if (missing !== undefined) throw new OutsideRun(missing);
    const { surplus, recipients, made, before: earlier, exchange } = quotaCountOf(all, name);
    const isWithout = withoutSends.includes(name);
    const before = quotaRemaining(earlier);
    const values = { before, expected: before - recipients - 1, found: quotaRemaining(exchange) };
    const what = isWithout
      ? "of accepted sends; what is rejected or replayed counts nothing"
      : `${recipients} of requests before (the first: ${recipientsText(made)}), 1 of this send`;
    assert(isWithout ? surplus <= 0 : surplus === 0, exchange, quotaFailure(values, recipients + 1, what));
  });

/**
 * The lowest count of a step: other users only add to it.
 * @throws NotVerified if the numbers show nothing
 */
function quotaCountOf(all: readonly Awaited<ReturnType<typeof measure>>[], name: StepName): QuotaCount {
  const found = all.flatMap(({ counts }) => counts[name] ?? []);
  const [least] = found.toSorted((one, other) => one.surplus - other.surplus);
  if (least === undefined || Number.isNaN(least.surplus))
    throw new NotVerified("A recipient is suppressed: whether it counts is unspecified.");
  if (least.surplus !== 0 && found.some(({ surplus }) => surplus !== least.surplus))
    throw new NotVerified(
      `Others send with keys.otherAccount, or a new month has begun: the number counted differs each time.`,
    );
  return least;
}
