import { limits } from "../../generated/limits.ts";
import type { OperationId } from "../../generated/operations.ts";
import { assert, configured, NotVerified } from "../engine/assert.ts";
import { type CaseOptions, caseOf, type Need, scenario, type TestCase } from "../engine/check.ts";
import { recipientsIn } from "../engine/run.ts";
import { missingNeeds } from "../engine/run-case.ts";
import type { Role } from "../engine/settings.ts";
import type { Tester } from "../engine/tester.ts";
import type { Exchange, RequestOptions } from "../exchange.ts";
import { bodyOf, idOf, requestOk } from "./assertions.ts";
import {
  batchEntries,
  batchOf,
  emailNeeds,
  hour,
  latest,
  message,
  messageOfOther,
  newRecipient,
  pollMessage,
  pollUntilSent,
  secondsAhead,
  send,
  sender,
  senderOf,
  simulatedRecipient,
  templateMessage,
} from "./messages.ts";
import { limitHeader, limitHeaderOrNaN, quotaFailure } from "./rate-limit.ts";
import { newIdempotencyKey } from "./requests.ts";

export const quotaRemaining = (exchange: Exchange): number => limitHeader(exchange, "allowance");

/** The response to a scheduled send that is canceled immediately: it reports the quota and uses none. */
export async function readQuota(tester: Tester, key: Role): Promise<Exchange> {
  const body = messageFrom(tester, key, { scheduled_at: secondsAhead(tester, 24 * hour) });
  const response = await requestOk(tester, "sendEmail", { key, body });
  await requestOk(tester, "cancelEmail", { key, path: { id: idOf(response) } });
  return response;
}

const messageFrom = (tester: Tester, key: Role, changes: Record<string, unknown>) =>
  message(tester, { from: key === "full" ? sender(tester) : senderOf(tester, key), ...changes });

/**
 * The responses to a send between two scheduled sends that never go out, repeated while others send from the main account. They report
 * the remaining quota.
 * @throws NotVerified if the quota is too small or a recipient is suppressed
 */
function useQuota(tester: Tester, key: Role, bodyOfSend: () => Record<string, unknown>) {
  const measureOnce = async () => {
    const before = await readQuota(tester, key);
    const body = bodyOfSend();
    const recipients = recipientsIn(body);
    const left = quotaRemaining(before);
    if (left < recipients)
      throw new NotVerified(`${left} of the monthly quota remaining, ${recipients} needed.`);
    // Counts toward the quota of the main account alone.
    if (key !== "full" && missingNeeds(tester.settings, emailNeeds).length === 0) await send(tester);
    const sent = await requestOk(tester, "sendEmail", { key, body });
    if (hasSuppressed(bodyOf(sent))) throw new NotVerified("A recipient is suppressed.");
    return { before, sent, recipients, after: await readQuota(tester, key) };
  };
  // Messages of earlier cases may still be sent from the main account.
  const deadline = key === "full" ? tester.settings.deadlines.dispatch : 0;
  return tester.until(
    measureOnce,
    ({ before, sent, recipients }) => quotaRemaining(before) - quotaRemaining(sent) === recipients,
    deadline,
    1000,
  );
}

const hasSuppressed = ({ suppressed }: { suppressed?: unknown } = {}): boolean =>
  Array.isArray(suppressed) && suppressed.length > 0;

/** A send with one recipient in each of to, cc and bcc, from the account for quota measurements if there is one. */
export const quotaUse = scenario("sends that use the quota", ["simulatorDomain"], (tester) => {
  const key = tester.settings.keys.quota === undefined ? "full" : "quota";
  return useQuota(tester, key, () => messageFrom(tester, key, recipientsOfAllKinds(tester, 1)));
});

/** A send from a template, which belongs to the main account. */
export const templateQuotaUse = scenario(
  "a send from a template that uses the quota",
  ["template", ...emailNeeds],
  (tester) =>
    useQuota(tester, "full", () =>
      templateMessage(tester, configured(tester.settings.fixtures.template, "template")),
    ),
);

/** The account whose quota shows what was sent: the rest of the suite sends nothing from it. */
const key = "otherAccount";

const quotaNeeds = [
  "keys.otherAccount",
  "domains.ofRole.otherAccount",
  "simulatorDomain",
] as const satisfies readonly Need[];

const simulatedRecipients = (tester: Tester) => ({
  to: [simulatedRecipient(tester, "success")],
  cc: [simulatedRecipient(tester, "complaint")],
  bcc: [simulatedRecipient(tester, "bounce")],
});

/** So many recipients in each property, or a simulated one if the suite may send to no others. */
function recipientsOfAllKinds(tester: Tester, number = 2) {
  if (tester.settings.fixtures.recipientDomain === undefined) return simulatedRecipients(tester);
  const some = (): string[] => Array.from({ length: number }, () => newRecipient(tester));
  return { to: some(), cc: some(), bcc: some() };
}

/** The number of recipients of an accepted message; NaN if one is suppressed: whether those count is unspecified. */
const countOf = (recipients: object, accepted: Record<string, unknown> | undefined): number =>
  hasSuppressed(accepted) ? Number.NaN : recipientsIn({ ...recipients });

/** Requests of the account, with the responses that report its quota. */
class QuotaAccount {
  readonly tester: Tester;
  /** In order, without replays. */
  readonly responses: Exchange[] = [];
  /** A message and a batch with idempotency keys. */
  readonly keyedSend: RequestOptions;
  readonly keyedBatch: RequestOptions;
  /** The id of a scheduled message. */
  scheduledId = "";

  constructor(tester: Tester) {
    this.tester = tester;
    this.keyedSend = { body: messageOfOther(tester), headers: newIdempotencyKey(tester) };
    this.keyedBatch = { body: batchOf(messageOfOther(tester)), headers: newIdempotencyKey(tester) };
  }

  /** Sends a message; resolves to the response. */
  async send(options: RequestOptions): Promise<Exchange> {
    const response = await requestOk(this.tester, "sendEmail", { key, ...options });
    this.responses.push(response);
    return response;
  }

  /** Sends a batch and waits until it is sent, which is when it is counted. */
  async sendBatch(options: RequestOptions): Promise<Exchange> {
    const response = await requestOk(this.tester, "sendBatch", { key, ...options });
    this.responses.push(response);
    for (const { id } of batchEntries(response)) await pollUntilSent(this.tester, String(id), key);
    return response;
  }

  /** Sends a request that must not send a message. */
  request(operation: OperationId, options: RequestOptions): Promise<Exchange> {
    return this.tester.request(operation, { key, ...options });
  }

  /** A batch of one message: what was wrongly accepted before it is sent by then. */
  async flush(): Promise<number> {
    await this.sendBatch({ body: batchOf(messageOfOther(this.tester)) });
    return 1;
  }
}

/** Moves the clock past the times of scheduled messages. */
export const dueQuota = scenario(
  "the quota while scheduled messages become due",
  [...quotaNeeds, "hooks.advanceClock"],
  async (tester) => {
    const found = await measureDue(tester);
    const [before, first, second] = [found.before, found.afterFirst, found.afterSecond].map(quotaRemaining);
    // A new month has begun, which does not happen twice.
    const isNewMonth = Number(first) > Number(before) || Number(second) > Number(first);
    return isNewMonth ? measureDue(tester) : found;
  },
);

/** Asserts that no more quota was used since an earlier response. */
export function assertAtMost(exchange: Exchange, earlier: Exchange, most: number): void {
  const [before, found] = [quotaRemaining(earlier), quotaRemaining(exchange)];
  assert(found >= before - most, exchange, quotaFailure({ before, expected: before - most, found }, most));
}

/** Asserts that what became due counts once, and nothing else. */
export function assertDueOnce({ before, afterFirst, recipients, afterSecond }: Due): void {
  assertAtMost(afterFirst, before, recipients);
  assertAtMost(afterSecond, afterFirst, 1);
}

type Due = Awaited<ReturnType<typeof measureDue>>;

/** Responses that report the remaining quota while scheduled messages become due. */
async function measureDue(tester: Tester) {
  const account = new QuotaAccount(tester);
  const at = (hours: number): string => secondsAhead(tester, hours * hour);
  const schedule = (): Promise<Exchange> =>
    account.send({ body: messageOfOther(tester, { scheduled_at: at(1) }) });
  const read = (): Promise<Exchange> => readQuota(tester, key);
  const readAfter = async (hours: number, earlier: Exchange): Promise<Exchange> => {
    await tester.hook("advanceClock", { seconds: hours * hour + 60 });
    const isOther = (response: Exchange): boolean => quotaRemaining(response) !== quotaRemaining(earlier);
    return tester.until(read, isOther, tester.settings.deadlines.dispatch, 1000);
  };
  const fields = recipientsOfAllKinds(tester);
  const options = {
    body: messageOfOther(tester, { scheduled_at: at(1), ...fields }),
    headers: newIdempotencyKey(tester),
  };
  const first = await account.send(options);
  const recipients = countOf(fields, bodyOf(first));
  if (Number.isNaN(recipients)) throw new NotVerified("A recipient is suppressed.");
  await account.request("sendEmail", options);
  const rescheduled = { id: idOf(await schedule()) };
  // At the same time: one of the times is the last one.
  const times = [at(2), at(3)].map((scheduled_at) => ({ path: rescheduled, body: { scheduled_at } }));
  await Promise.all(times.map((options) => account.request("rescheduleEmail", options)));
  const canceled = {
    body: messageOfOther(tester, { scheduled_at: at(1) }),
    headers: newIdempotencyKey(tester),
  };
  await account.request("cancelEmail", { path: { id: idOf(await account.send(canceled)) } });
  await account.request("sendEmail", canceled);
  const before = await read();
  const afterFirst = await readAfter(1, before);
  return {
    before,
    /** After the time of a message that was submitted twice with one key, of one that was rescheduled twice, and of a canceled one whose send was replayed. */
    afterFirst,
    /** The number of recipients of the first of these. */
    recipients,
    /** After both new times of the rescheduled message, which has one recipient and is sent at the last of them. */
    afterSecond: await readAfter(2, afterFirst),
  };
}

/** When the next month with 31 days ends in UTC, at least some minutes from a time; in milliseconds since 1970. */
function endOfLongMonth(now: number): number {
  const from = new Date(now + 5 * 60_000);
  const ends = [1, 2, 3].map((month) => Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + month));
  return ends.find((end) => new Date(end - 1).getUTCDate() === 31) ?? now;
}

/** In seconds: enough for the requests, and less than a minute even if clocks differ a little. */
const lastMoments = 45;

/** What is sent in the last minute of a month, and what is scheduled then for the next one. */
export const turnOfMonth = scenario(
  "the turn of a month",
  [...quotaNeeds, "hooks.advanceClock"],
  async (tester) => {
    const account = new QuotaAccount(tester);
    const end = endOfLongMonth(tester.run.now());
    const at = (hours: number): string => new Date(end + hours * hour * 1000).toISOString();
    const moveTo = (time: number) =>
      tester.hook("advanceClock", { seconds: Math.round((time - tester.run.now()) / 1000) });
    const send = (changes = {}): Promise<Exchange> => account.send({ body: messageOfOther(tester, changes) });
    await moveTo(end - lastMoments * 1000);
    const [first, last] = [await send(), await send()];
    // By then, the next month has begun in every time zone.
    const [early, midnight, late] = [at(47.5), at(48), at(48.1)];
    const scheduled = await send({ scheduled_at: midnight });
    const moved = idOf(await send({ scheduled_at: early }));
    await account.request("rescheduleEmail", { path: { id: moved }, body: { scheduled_at: late } });
    const { delivery: deadline } = tester.settings.deadlines;
    const sent = latest(await pollMessage(tester, idOf(last), isDelivered, { deadline, key }));
    await moveTo(end + 47 * hour * 1000);
    const lookup = await account.request("getEmail", { path: { id: idOf(last) } });
    const before = await send();
    await moveTo(end + 48.25 * hour * 1000);
    await pollUntilSent(tester, moved, key);
    const due = latest(await pollUntilSent(tester, idOf(scheduled), key));
    const after = await send();
    await moveTo(end + 9 * 24 * hour * 1000);
    const found = { first, last, scheduled, sent, before, due, dueAt: Date.parse(midnight), after };
    return { ...found, lookup, later: await send() };
  },
);

const isDelivered = (status: string): boolean => status === "delivered";

/** What is done between two readings of the quota; resolves to the number of recipients that it sends to. */
type Step = (account: QuotaAccount) => Promise<number>;

/** Messages that must be rejected: without a subject, and from a nonexistent domain. */
function rejectedMessages(tester: Tester): Record<string, unknown>[] {
  const { subject: _, ...bad } = messageOfOther(tester);
  return [bad, messageOfOther(tester, { from: `contract@${tester.settings.runId}.example` })];
}

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
    return 1 + countOf(recipients, last);
  },
} satisfies Record<string, Step>;

const otherSteps = {
  conflict: async (account) => {
    const { tester, keyedSend, keyedBatch } = account;
    await account.request("sendEmail", { ...keyedSend, body: messageOfOther(tester) });
    await account.request("sendBatch", { ...keyedBatch, body: batchOf(messageOfOther(tester)) });
    return account.flush();
  },
  /** Three sends at the same time. */
  together: async ({ tester }) => {
    const sends = [1, 2, 3].map(() => requestOk(tester, "sendEmail", { key, body: messageOfOther(tester) }));
    return (await Promise.all(sends)).length;
  },
  /** A send three times at the same time, then a batch twice, each with one idempotency key. */
  togetherWithKey: async (account) => {
    const { tester } = account;
    const send = { body: messageOfOther(tester), headers: newIdempotencyKey(tester) };
    await Promise.all([1, 2, 3].map(() => account.request("sendEmail", send)));
    const batch = { body: batchOf(messageOfOther(tester)), headers: newIdempotencyKey(tester) };
    await Promise.all([1, 2].map(() => account.request("sendBatch", batch)));
    return 2 + (await account.flush());
  },
  simulated: (account) => sendTo(account, simulatedRecipients(account.tester)),
  copies: (account) => sendTo(account, recipientsOfAllKinds(account.tester, limits.recipientsPerField)),
  largestBatch: async ({ tester, responses }) => {
    const messages = Array.from({ length: limits.batchMessages }, () => messageOfOther(tester));
    const before = responses.at(-1) as Exchange;
    await requestOk(tester, "sendBatch", { key, body: batchOf(...messages) });
    const counted = async () => quotaRemaining(before) - quotaRemaining(await readQuota(tester, key));
    // They are counted when they are sent.
    const { dispatch } = tester.settings.deadlines;
    await tester.until(counted, (found) => found >= messages.length, dispatch, 1000);
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
    await account.request("rescheduleEmail", { path, body });
    await account.request("cancelEmail", { path });
    return 0;
  },
} satisfies Record<string, Step>;

type StepName = keyof typeof coreSteps | keyof typeof otherSteps;

/** The steps of a run, in order: later ones use what earlier ones sent. */
const stepsIn = ({ settings }: Tester): Record<string, Step> =>
  settings.profile === "core" ? coreSteps : { ...coreSteps, ...otherSteps };

/** How many more recipients were counted by a step than it sent to. */
interface Charge {
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
  while (found.length < mostTries && Object.values(found.at(-1)?.charges ?? {}).some(isUnexpected)) {
    await tester.run.time.wait(Math.random() * longestPause);
    found.push(await measure(tester));
  }
  return found;
});

const isUnexpected = ({ surplus }: Charge): boolean => surplus !== 0 && !Number.isNaN(surplus);

/** Sends a message to one recipient after each step: its response reports the quota. */
async function measure(tester: Tester) {
  const account = new QuotaAccount(tester);
  const sendOne = (): Promise<Exchange> => account.send({ body: messageOfOther(tester) });
  const charges: Partial<Record<StepName, Charge>> = {};
  let before = await sendOne();
  for (const [name, step] of Object.entries(stepsIn(tester))) {
    const since = tester.exchanges.length;
    const recipients = await step(account);
    const made = tester.exchanges.slice(since).find(({ request }) => /^send/.test(request.operation ?? ""));
    const exchange = await sendOne();
    const surplus = remainingOf(before) - remainingOf(exchange) - recipients - 1;
    charges[name as StepName] = { surplus, recipients, made: made ?? exchange, before, exchange };
    before = exchange;
  }
  return {
    charges,
    /** Those that report the quota, in order, without replays. */
    responses: account.responses,
  };
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
  const left = limitHeaderOrNaN(exchange, "allowance");
  if (Number.isNaN(left)) throw new NotVerified("The responses do not report the remaining quota.");
  if (left === 0) throw new NotVerified(`The quota of keys.otherAccount is exhausted.`);
  return left;
}

/** Steps about requests that must send nothing: that they count fewer than others sent fails other cases. */
const withoutSends = ["replayedSend", "replayedBatch", "rejectedBatch", "conflict"];

/** A step counts each recipient that it sends to, once. */
export const chargeCase = (title: string, name: StepName, options: CaseOptions = {}): TestCase =>
  caseOf(measurements, title, options, (all) => {
    const { surplus, recipients, made, before: earlier, exchange } = chargeOf(all, name);
    const isRight = withoutSends.includes(name) ? surplus <= 0 : surplus === 0;
    const before = quotaRemaining(earlier);
    const values = { before, expected: before - recipients - 1, found: quotaRemaining(exchange) };
    const what = `${recipients} of sends like this one (${recipientsText(made)}), 1 of a send after them`;
    assert(isRight, made, quotaFailure(values, recipients + 1, what));
  });

/**
 * The lowest charge of a step: other users only add to it.
 * @throws NotVerified if the numbers show nothing
 */
function chargeOf(all: readonly Awaited<ReturnType<typeof measure>>[], name: StepName): Charge {
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
