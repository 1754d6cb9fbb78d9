import { assert, NotVerified } from "../engine/assert.ts";
import type { Tester } from "../engine/tester.ts";
import type { Exchange } from "../exchange.ts";
import { bodyOf, idOf } from "./assertions.ts";
import { batchEntries, batchOf, messageOfOther, secondsAhead } from "./messages.ts";
import {
  countOf,
  QuotaAccount,
  type Recipients,
  recipientsOfAllKinds,
  simulatedRecipients,
} from "./quota.ts";
import { limitHeaderOrNaN } from "./rate-limit.ts";

/** What is done between two readings of the quota; resolves to the number of recipients that it sends to. */
type Step = (account: QuotaAccount) => Promise<number>;

const hour = 3600;

/** Messages that must be rejected: without a subject, and from a nonexistent domain. */
function rejectedMessages(tester: Tester): Record<string, unknown>[] {
  const { subject: _, ...bad } = messageOfOther(tester);
  return [bad, messageOfOther(tester, { from: `contract@${tester.settings.runId}.example` })];
}

/** JSON without its end. */
const brokenOff = (body: object): string => JSON.stringify(body).slice(0, -1);

async function sendTo(account: QuotaAccount, recipients: Recipients): Promise<number> {
  const response = await account.send({ body: messageOfOther(account.tester, recipients) });
  return countOf(recipients, bodyOf(response).suppressed);
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
    for (const last of rejectedMessages(tester)) {
      const body = batchOf(messageOfOther(tester), messageOfOther(tester), last);
      await account.request("sendBatch", { body });
    }
    return account.flush();
  },
  wholeBatch: async (account) => {
    const { tester } = account;
    const recipients = recipientsOfAllKinds(tester);
    const body = batchOf(messageOfOther(tester), messageOfOther(tester, recipients));
    const [, last] = batchEntries(await account.sendBatch({ body }));
    return 1 + countOf(recipients, last?.suppressed);
  },
} satisfies Record<string, Step>;

const otherSteps = {
  conflict: async (account) => {
    const { tester, keyedSend, keyedBatch } = account;
    await account.request("sendEmail", { ...keyedSend, body: messageOfOther(tester) });
    await account.request("sendBatch", { ...keyedBatch, body: batchOf(messageOfOther(tester)) });
    return account.flush();
  },
  unreadable: async (account) => {
    const { tester } = account;
    await account.request("sendEmail", { rawBody: brokenOff(messageOfOther(tester)) });
    await account.request("sendBatch", { rawBody: brokenOff(batchOf(messageOfOther(tester))) });
    return account.flush();
  },
  copies: (account) => sendTo(account, recipientsOfAllKinds(account.tester)),
  simulated: (account) => sendTo(account, simulatedRecipients(account.tester)),
  scheduled: async (account) => {
    const { tester } = account;
    const changes = { ...recipientsOfAllKinds(tester), scheduled_at: secondsAhead(tester, hour) };
    account.scheduledId = idOf(await account.send({ body: messageOfOther(tester, changes) }));
    return 0;
  },
  changed: async (account) => {
    const path = { id: account.scheduledId };
    const body = { scheduled_at: secondsAhead(account.tester, 2 * hour) };
    await account.request("rescheduleEmail", { path, body });
    await account.request("cancelEmail", { path });
    return 0;
  },
} satisfies Record<string, Step>;

type StepName = keyof typeof coreSteps | keyof typeof otherSteps;

/** The steps of a run, in order: later ones use what earlier ones sent. */
const stepsIn = ({ settings }: Tester): [StepName, Step][] =>
  Object.entries<Step>(settings.profile === "core" ? coreSteps : { ...coreSteps, ...otherSteps }) as [
    StepName,
    Step,
  ][];

/** How many more recipients were counted by a step than it sent to. */
interface Charge {
  surplus: number;
  /** The response that shows it. */
  exchange: Exchange;
}

/** What the steps count toward the quota. */
interface Measurement {
  charges: Partial<Record<StepName, Charge>>;
  /** The responses that report the quota, in order, without replays. */
  responses: Exchange[];
}

/** Others may use the account at the same time; a server that counts wrong does so every time. */
const mostTries = 3;

/** The longest pause between attempts, in milliseconds, in case another run measures at the same time. */
const longestPause = 5000;

/** What requests of the account count toward its quota, measured again if it is not what it should be. */
export const measurements = (tester: Tester): Promise<Measurement[]> =>
  tester.once("what counts toward the quota", async (own) => {
    const found = [await measure(own)];
    while (found.length < mostTries && Object.values(found.at(-1)?.charges ?? {}).some(isUnexpected)) {
      await own.run.time.wait(Math.random() * longestPause);
      found.push(await measure(own));
    }
    return found;
  });

const isUnexpected = ({ surplus }: Charge): boolean => surplus !== 0 && !Number.isNaN(surplus);

/** Sends a message to one recipient after each step: its response reports the quota. */
async function measure(tester: Tester): Promise<Measurement> {
  const account = new QuotaAccount(tester);
  const sendOne = (): Promise<Exchange> => account.send({ body: messageOfOther(tester) });
  const charges: Measurement["charges"] = {};
  let before = await sendOne();
  for (const [name, step] of stepsIn(tester)) {
    const recipients = await step(account);
    const after = await sendOne();
    charges[name] = { surplus: remainingOf(before) - remainingOf(after) - recipients - 1, exchange: after };
    before = after;
  }
  return { charges, responses: account.responses };
}

/**
 * The remaining quota in a response.
 * @throws NotVerified if it is missing, which fails another check, or exhausted
 */
function remainingOf(exchange: Exchange): number {
  const left = limitHeaderOrNaN(exchange, "allowance");
  if (Number.isNaN(left)) throw new NotVerified("The responses do not report the remaining quota.");
  if (left === 0) throw new NotVerified(`The quota of keys.otherAccount is exhausted.`);
  return left;
}

/** Asserts that a step that sends nothing counts nothing. */
export function assertNotCharged(all: readonly Measurement[], name: StepName, what: string): void {
  const { surplus, exchange } = chargeOf(all, name);
  assert(surplus <= 0, exchange, {
    expected: `nothing counted for ${what}`,
    found: `${surplus} more counted than sent`,
  });
}

/** Asserts that a step counts each recipient that it sends to, once. */
export function assertCharged(all: readonly Measurement[], name: StepName, what: string): void {
  const { surplus, exchange } = chargeOf(all, name);
  assert(surplus === 0, exchange, {
    expected: `${what} counted`,
    found: `${Math.abs(surplus)} ${surplus > 0 ? "more" : "fewer"} counted than sent`,
  });
}

/**
 * The lowest charge of a step: other users only add to it.
 * @throws NotVerified if the numbers show nothing
 */
function chargeOf(all: readonly Measurement[], name: StepName): Charge {
  const found = all.flatMap(({ charges }) => charges[name] ?? []);
  const [least] = found.toSorted((one, other) => one.surplus - other.surplus);
  if (least === undefined || Number.isNaN(least.surplus))
    throw new NotVerified("A recipient is suppressed: whether it counts is unspecified.");
  if (least.surplus !== 0 && found.some(({ surplus }) => surplus !== least.surplus))
    throw new NotVerified(
      `Others send with keys.otherAccount, or a new month has begun: the number counted differs each time.`,
    );
  return least;
}
