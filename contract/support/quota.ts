import type { OperationId } from "../../generated/operations.ts";
import { ifInRun, NotVerified, unknownExchange } from "../engine/assert.ts";
import { checksOf, scenario } from "../engine/check.ts";
import { recipientsIn } from "../engine/pending-messages.ts";
import { missingNeeds } from "../engine/run-case.ts";
import { isInRun, type Role } from "../engine/settings.ts";
import type { Tester } from "../engine/tester.ts";
import type { Exchange, RequestOptions } from "../exchange.ts";
import { bodyOf, idOf, type Json, requestOk } from "./assertions.ts";
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
  publishedTemplate,
  secondsAhead,
  send,
  sender,
  senderOf,
  simulatedRecipient,
} from "./messages.ts";
import { assertQuotaUsed, quotaRemaining } from "./rate-limit.ts";
import { newIdempotencyKey } from "./requests.ts";

export const readingQuota = ["sendEmail", "cancelEmail"] as const satisfies OperationId[];

/** The response to a scheduled send that is canceled immediately: it reports the quota and uses none. */
export async function readQuota(tester: Tester, key: Role): Promise<Exchange> {
  const body = messageFrom(tester, key, { scheduled_at: secondsAhead(tester, 24 * hour) });
  const response = await requestOk(tester, "sendEmail", { key, body });
  await requestOk(tester, "cancelEmail", { key, path: { id: idOf(response) } });
  return response;
}

const messageFrom = (tester: Tester, key: Role, changes: Json) =>
  message(tester, { from: key === "full" ? sender(tester) : senderOf(tester, key), ...changes });

/**
 * The responses to a send between two scheduled sends that never go out, repeated while others send from the main account. They report
 * the remaining quota.
 * @throws NotVerified if the quota is too small or a recipient is suppressed
 */
function useQuota(tester: Tester, key: Role, bodyOfSend: () => Json) {
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
  return tester.until(
    measureOnce,
    ({ before, sent, recipients }) => quotaRemaining(before) - quotaRemaining(sent) === recipients,
    // Messages of earlier cases may still be sent from the main account.
    key === "full" ? tester.settings.deadlines.dispatch : 0,
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
  (tester) => useQuota(tester, "full", () => publishedTemplate(tester)),
);

/** The account whose quota shows what was sent: the rest of the suite sends nothing from it. */
export const quotaKey = "otherAccount";

export const quotaNeeds = ["keys.otherAccount", "domains.ofRole.otherAccount", "simulatorDomain"] as const;

export const simulatedRecipients = (tester: Tester) => ({
  to: [simulatedRecipient(tester, "success")],
  cc: [simulatedRecipient(tester, "complaint")],
  bcc: [simulatedRecipient(tester, "bounce")],
});

/** So many recipients in each property, or a simulated one if the suite may send to no others. */
export function recipientsOfAllKinds(tester: Tester, number = 2) {
  if (tester.settings.fixtures.recipientDomain === undefined) return simulatedRecipients(tester);
  const some = (): string[] => Array.from({ length: number }, () => newRecipient(tester));
  return { to: some(), cc: some(), bcc: some() };
}

/** The number of recipients of an accepted message; NaN if one is suppressed: whether those count is unspecified. */
export const countOf = (recipients: object, accepted: Json | undefined): number =>
  hasSuppressed(accepted) ? Number.NaN : recipientsIn({ ...recipients });

/** What batches of the account need and the run does not have: they are looked up, or the quota is read. */
export const lackOfBatches = ({ settings }: Tester): OperationId | undefined =>
  (["sendBatch", ...(isInRun(settings, "getEmail") ? [] : readingQuota)] as const).find(
    (one) => !isInRun(settings, one),
  );

/** Requests of the account, with the responses that report its quota. */
export class QuotaAccount {
  readonly tester: Tester;
  /** In order, without replays. */
  readonly responses: Exchange[] = [];
  /** A message and a batch with idempotency keys. */
  readonly keyedSend: RequestOptions;
  readonly keyedBatch: RequestOptions;
  scheduledId = "";

  constructor(tester: Tester) {
    this.tester = tester;
    this.keyedSend = { body: messageOfOther(tester), headers: newIdempotencyKey(tester) };
    this.keyedBatch = { body: batchOf(messageOfOther(tester)), headers: newIdempotencyKey(tester) };
  }

  /** Sends a message; resolves to the response. */
  async send(options: RequestOptions): Promise<Exchange> {
    const response = await requestOk(this.tester, "sendEmail", { key: quotaKey, ...options });
    this.responses.push(response);
    return response;
  }

  /** Sends a batch and waits until it is sent, which is when it is counted: without lookups, until it is. */
  async sendBatch(options: RequestOptions): Promise<Exchange> {
    const { tester } = this;
    const before = isInRun(tester.settings, "getEmail") ? undefined : await readQuota(tester, quotaKey);
    const response = await requestOk(tester, "sendBatch", { key: quotaKey, ...options });
    this.responses.push(response);
    if (before !== undefined) await this.untilCounted(response, before);
    else for (const { id } of batchEntries(response)) await pollUntilSent(tester, String(id), quotaKey);
    return response;
  }

  /** Waits until every recipient of a batch counts. */
  async untilCounted({ request }: Exchange, before: Exchange): Promise<void> {
    const { emails } = request.body as ReturnType<typeof batchOf>;
    const left = async () => quotaRemaining(await readQuota(this.tester, quotaKey));
    const most = quotaRemaining(before) - emails.reduce((sum, one) => sum + recipientsIn(one), 0);
    await this.tester.until(left, (found) => found <= most, this.tester.settings.deadlines.dispatch, 1000);
  }

  /** Sends a request that must not send a message. */
  request(operation: OperationId, options: RequestOptions): Promise<Exchange> {
    return this.tester.request(operation, { key: quotaKey, ...options });
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
    const { before, afterFirst, afterSecond = afterFirst } = found;
    const [start, first, second] = [before, afterFirst, afterSecond].map(quotaRemaining);
    // A new month has begun, which does not happen twice.
    const isNewMonth = Number(first) > Number(start) || Number(second) > Number(first);
    return isNewMonth ? measureDue(tester) : found;
  },
);

/** Asserts that what became due counts once, and nothing else. */
export function assertDueOnce(due: Awaited<ReturnType<typeof measureDue>>): void {
  assertQuotaUsed(due.afterFirst, due.before, due.recipients, true);
  if (due.afterSecond !== undefined) assertQuotaUsed(due.afterSecond, due.afterFirst, 1, true);
}

/** Responses that report the remaining quota while scheduled messages become due. */
async function measureDue(tester: Tester) {
  const account = new QuotaAccount(tester);
  const at = (hours: number): string => secondsAhead(tester, hours * hour);
  const scheduled = (recipients = {}) => ({
    body: messageOfOther(tester, { scheduled_at: at(1), ...recipients }),
    headers: newIdempotencyKey(tester),
  });
  const read = (): Promise<Exchange> => readQuota(tester, quotaKey);
  const readAfter = async (hours: number, earlier: Exchange): Promise<Exchange> => {
    await tester.hook("advanceClock", { seconds: hours * hour + 60 });
    const isOther = (response: Exchange): boolean => quotaRemaining(response) !== quotaRemaining(earlier);
    return tester.until(read, isOther, tester.settings.deadlines.dispatch, 1000);
  };
  const fields = recipientsOfAllKinds(tester);
  const options = scheduled(fields);
  const first = await account.send(options);
  const recipients = countOf(fields, bodyOf(first));
  if (Number.isNaN(recipients)) throw new NotVerified("A recipient is suppressed.");
  await account.request("sendEmail", options);
  const canMove = isInRun(tester.settings, "rescheduleEmail");
  if (canMove) {
    const path = { id: idOf(await account.send({ body: scheduled().body })) };
    // At the same time: one of the times is the last one.
    const times = [at(2), at(3)].map((scheduled_at) => ({ path, body: { scheduled_at } }));
    await Promise.all(times.map((options) => account.request("rescheduleEmail", options)));
  }
  const canceled = scheduled();
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
    ...(canMove && { afterSecond: await readAfter(2, afterFirst) }),
  };
}

/** When the next month with 31 days ends in UTC, at least 16 hours from a time; in milliseconds since 1970. */
function endOfLongMonth(now: number): number {
  const from = new Date(now + 16 * 3_600_000);
  const ends = [1, 2, 3].map((month) => Date.UTC(from.getUTCFullYear(), from.getUTCMonth() + month));
  return ends.find((end) => new Date(end - 1).getUTCDate() === 31) ?? now;
}

/** The last of lookups, which is unknown in a run without them. */
const lastOf = async (lookups: Promise<Exchange[]>): Promise<Exchange> =>
  latest((await ifInRun(lookups)) ?? [unknownExchange("getEmail")]);

/** In seconds: enough for the requests, and less than a minute even if clocks differ a little. */
const lastMoments = 45;

/** What is sent in the last minute of a month, and what is scheduled then for the next one. */
const turnOfMonth = scenario(
  "the turn of a month",
  [...quotaNeeds, "domains.verified", "hooks.advanceClock"],
  async (tester) => {
    const account = new QuotaAccount(tester);
    const end = endOfLongMonth(tester.run.now());
    const at = (hours: number): string => new Date(end + hours * hour * 1000).toISOString();
    const moveTo = (time: number) =>
      tester.hook("advanceClock", { seconds: Math.round((time - tester.run.now()) / 1000) });
    const send = (changes = {}): Promise<Exchange> => account.send({ body: messageOfOther(tester, changes) });
    // In every time zone, this month has not ended by then.
    await moveTo(end - 15 * hour * 1000);
    await send();
    await moveTo(end - lastMoments * 1000);
    const [first, last] = [await send(), await send()];
    // Of another account, because the month in which it counts is not certain.
    const lastSecond = message(tester, { scheduled_at: at(-1 / hour) });
    const crossing = await requestOk(tester, "sendEmail", { body: lastSecond });
    // By then, the next month has begun in every time zone.
    const [early, midnight, late] = [at(47.5), at(48), at(48.1)];
    const scheduled = await send({ scheduled_at: midnight });
    const canMove = isInRun(tester.settings, "rescheduleEmail");
    const moved = idOf(await send({ scheduled_at: canMove ? early : late }));
    if (canMove)
      await account.request("rescheduleEmail", { path: { id: moved }, body: { scheduled_at: late } });
    const isDelivered = (status: string): boolean => status === "delivered";
    const sent = await lastOf(pollMessage(tester, idOf(last), isDelivered, "delivery", quotaKey));
    await moveTo(end + 47 * hour * 1000);
    const lookup = await account.request("getEmail", { path: { id: idOf(last) } });
    const crossed = await lastOf(pollMessage(tester, idOf(crossing), isDelivered, "delivery"));
    const before = await send();
    await moveTo(end + 48.25 * hour * 1000);
    await lastOf(pollUntilSent(tester, moved, quotaKey));
    const due = await lastOf(pollUntilSent(tester, idOf(scheduled), quotaKey));
    const after = await send();
    await moveTo(end + 9 * 24 * hour * 1000);
    const found = { first, last, scheduled, sent, before, due, dueAt: Date.parse(midnight), after };
    return { ...found, end, crossing, lookup, crossed, later: await send() };
  },
);

/** Define checks of what is due after the clock has moved, and of what the turn of a month shows. */
export const atDueTime = checksOf(dueQuota, { tags: ["clock"] });
export const atTurnOfMonth = checksOf(turnOfMonth, { tags: ["clock"] });
