import { limits } from "../../generated/limits.ts";
import { type OperationId, operations } from "../../generated/operations.ts";
import { NotVerified, OutsideRun } from "../engine/assert.ts";
import { caseOf, type Need, scenario, type TestCase } from "../engine/check.ts";
import { integerHeader } from "../engine/rate-limiter.ts";
import { windowSeconds } from "../engine/run.ts";
import { isInRun } from "../engine/settings.ts";
import type { Tester } from "../engine/tester.ts";
import { type Exchange, isRateLimited, isSuccess, type RequestOptions } from "../exchange.ts";
import { entriesIn, idOf } from "./assertions.ts";
import { batchOf, hour, message, secondsAhead, senderOf } from "./messages.ts";
import { atOnce } from "./races.ts";
import { lightestOperation } from "./requests.ts";

/** The result of sending requests until one is rejected for the rate limit. */
interface Burst {
  /** The responses to the accepted requests, including the first beyond the limit if it was accepted. */
  accepted: Exchange[];
  /** The response to the first rejected request. */
  rejection?: Exchange | undefined;
  /** Whether more requests were accepted within a minute than the limit allows. */
  isBeyond: boolean;
  /** The responses to requests of all products right after that. */
  others: { product: string; response: Exchange }[];
  /** The response to a request of another account right after that, if its key is configured. */
  otherAccount?: Exchange | undefined;
  /** The response after the wait, if a hook can move the clock. A request in the middle of it may report a longer one. */
  afterWait?: Exchange;
  /** The response after a minute without requests, likewise. */
  afterMinute?: Exchange;
  /** After rejected writes, likewise: whether there is the contact, and what a send says of the monthly quota. */
  writes?: { contact: Exchange | undefined; sent: Exchange | undefined };
  /** The same again in the minute after that. */
  again?: Pick<Burst, "accepted" | "rejection" | "isBeyond">;
}

const key = "burst";

type Send = () => Promise<Exchange>;

/** Exhausts the rate limit of the burst account with requests to all its products. */
export const burst = scenario("a burst", ["keys.burst"], async (own): Promise<Burst> => {
  const { sendLightest, first } = await leastOf(own);
  const { requests, writes, responses, pass } = await start(own, sendLightest, first);
  const tried = await untilRejected([...requests.values()], responses);
  const { rejection } = tried;
  const others: Burst["others"] = [];
  if (rejection === undefined) return { ...tried, others };
  for (const [product, request] of [...requests, ...writes])
    others.push({ product, response: await request() });
  const otherAccount = await fromOtherAccount(own);
  if (own.run.hooks.advanceClock === undefined) return { ...tried, others, otherAccount };
  // Rejected requests may count too: then a later one reports a longer wait than the first.
  const waitOf = (response: Exchange) => Math.min(integerHeader(response, "wait") || 0, windowSeconds);
  const last = others.findLast(({ response }) => isRateLimited(response))?.response ?? rejection;
  const half = Math.floor(waitOf(last) / 2);
  await pass(half);
  const early = await sendLightest();
  await pass(isRateLimited(early) ? waitOf(early) : waitOf(last) - half);
  const afterWait = await sendLightest();
  await pass(windowSeconds);
  const afterMinute = await sendLightest();
  const again = await untilRejected([...requests.values()], [afterMinute]);
  await pass(windowSeconds);
  const found = await afterWrites(own, writes);
  return { ...tried, others, otherAccount, afterWait, afterMinute, writes: found, again };
});

/** A test case that looks at one of the responses after so many requests. @throws NotVerified if none was rejected */
export const burstCase = (
  title: string,
  name: "rejection" | "otherAccount" | "afterWait" | "afterMinute",
  assertResponse: (response: Exchange, burst: Burst) => void,
): TestCase => {
  const needs: Need[] = name.startsWith("after") ? ["hooks.advanceClock"] : [];
  return caseOf(burst, title, { core: false, needs }, (found) => {
    const { [name]: response } = found;
    if (response === undefined && found.rejection !== undefined) throw new OutsideRun(anyRead);
    if (response === undefined) throw new NotVerified("No request was rejected.");
    assertResponse(response, found);
  });
};

/** What rejected writes led to: a contact, or less of the monthly quota than the one send that is made here uses. */
async function afterWrites(tester: Tester, writes: ReadonlyMap<string, Send>) {
  const sent = await writes.get("sendEmail")?.();
  if (!writes.has("upsertContact")) return { sent, contact: undefined };
  return { sent, contact: await send(tester, "getContact", { path: { email: contactOf(tester) } }) };
}

const contactOf = ({ settings }: Tester): string =>
  `contract-${settings.runId}-burst@${settings.fixtures.contactDomain ?? "example.com"}`;

const send = (tester: Tester, operation: OperationId, options: RequestOptions = {}): Promise<Exchange> =>
  tester.request(operation, { key, waits: false, ...options });

const anyRead = "getMe or another read without an id";

/**
 * A read that the account can make, without an id or, if there is none, of a scheduled message; and the first response.
 * @throws OutsideRun if there is none at all: the ids of its lists are unknown
 */
async function leastOf(tester: Tester): Promise<{ sendLightest: Send; first: Exchange }> {
  const operation = lightestOperation(tester);
  if (operations[operation].method === "GET") {
    const first = await send(tester, operation);
    if (operation === "getMe" || first.status !== 402)
      return { sendLightest: () => send(tester, operation), first };
  }
  if (!isInRun(tester.settings, "getEmail") || !canSend(tester)) throw new OutsideRun(anyRead);
  // Nothing but a request changes what a lookup of it shows.
  const later = { scheduled_at: secondsAhead(tester, 6 * hour) };
  const body = message(tester, { from: senderOf(tester, key), ...later });
  const first = await send(tester, "sendEmail", { body });
  return { sendLightest: () => send(tester, "getEmail", { path: { id: idOf(first) } }), first };
}

const canSend = ({ settings }: Tester): boolean =>
  isInRun(settings, "sendEmail") && settings.fixtures.domains?.ofRole?.[key] !== undefined;

async function fromOtherAccount(tester: Tester): Promise<Exchange | undefined> {
  const role = "otherAccount";
  const operation = lightestOperation(tester);
  if (tester.settings.keys[role] === undefined || operations[operation].method !== "GET") return undefined;
  return tester.run.rateLimiter(role).around(() => tester.request(operation, { key: role, waits: false }));
}

/**
 * A valid request per product of the account, its writes, the responses to the first ones, and how time passes for the rate limit. If the account was used before or a
 * request failed, waits a minute and returns no responses.
 */
async function start(tester: Tester, sendLightest: Send, first: Exchange) {
  const { advanceClock } = tester.run.hooks;
  const isThere = (operation: OperationId): boolean => isInRun(tester.settings, operation);
  if (advanceClock !== undefined) await tester.hook("advanceClock", { seconds: windowSeconds });
  const responses = advanceClock === undefined ? [first] : [first, await sendLightest()];
  const [before = 0, after = 0] = responses.map((one) => integerHeader(one, "left"));
  // Whether the hook moves the window of the rate limit is unspecified: one that counts in real time is waited for.
  const isMoved = advanceClock !== undefined && !(after < before);
  if (isMoved) responses.shift();
  const pass = async (seconds: number): Promise<void> => {
    if (seconds <= 0) return;
    if (isMoved) return tester.hook("advanceClock", { seconds });
    tester.run.onWait(seconds * 1000);
    await tester.run.time.wait(seconds * 1000);
  };
  const writes = new Map<string, Send>();
  const write = (operation: OperationId, options: RequestOptions): void => {
    if (isThere(operation)) writes.set(operation, () => send(tester, operation, options));
  };
  const requests = new Map<string, Send>([["account", sendLightest]]);
  const lists = () => send(tester, "listNewsletterLists");
  const listed = isThere("listNewsletterLists") ? await lists() : undefined;
  if (listed !== undefined) responses.push(listed);
  if (listed !== undefined && responses.every(isSuccess)) {
    requests.set("newsletter", lists);
    const [list] = entriesIn(listed, "lists");
    if (list !== undefined && isThere("upsertContact")) {
      const body = { email: contactOf(tester), list_id: list.id };
      const path = { email: `old-${body.email}` };
      responses.push(await send(tester, "upsertContact", { body: { ...body, ...path } }));
      if (isThere("getContact")) requests.set("newsletter", () => send(tester, "getContact", { path }));
      write("upsertContact", { body });
      write("unsubscribeContact", { path, body: {} });
    }
  }
  if (canSend(tester)) {
    const body = message(tester, { from: senderOf(tester, key) });
    const [later, sooner] = [6, 5].map((hours) => ({ scheduled_at: secondsAhead(tester, hours * hour) }));
    const sent = await send(tester, "sendEmail", { body });
    const scheduled = await send(tester, "sendEmail", { body: { ...body, ...later } });
    responses.push(sent, scheduled);
    if (isSuccess(sent) && isSuccess(scheduled)) {
      const path = { id: idOf(scheduled) };
      if (isThere("getEmail")) requests.set("email", () => send(tester, "getEmail", { path }));
      write("sendEmail", { body });
      write("sendBatch", { body: batchOf(body) });
      write("rescheduleEmail", { path, body: sooner });
      write("cancelEmail", { path });
    }
  }
  const left = integerHeader(responses[0] as Exchange, "left");
  if (responses.every(isSuccess) && left === limits.requestsPerMinute - 1)
    return { requests, writes, responses, pass };
  await pass(windowSeconds);
  return { requests, writes, responses: [], pass };
}

/** So many requests before the limit, and as many beyond it, are sent at the same time. */
const few = 3;

/**
 * Sends requests until one is rejected, or one too many is accepted. If the remaining requests increase, a new minute
 * has begun and counting starts again; one minute of requests spans at most two.
 */
async function untilRejected(requests: readonly Send[], responses: readonly Exchange[]) {
  const limit = limits.requestsPerMinute;
  const accepted = [...responses];
  let count = accepted.length;
  let before = Number.POSITIVE_INFINITY;
  // A request of more than a minute ago counts no longer.
  const isOver = (): boolean =>
    count > limit && Date.now() - (accepted.at(-count)?.startedAt ?? 0) < windowSeconds * 1000;
  while (!isOver() && accepted.length <= 2 * limit) {
    const number = Math.max(1, count < limit - few ? 1 : limit - count + few);
    const next = Array.from(
      { length: number },
      (_, index) => requests[(accepted.length + index) % requests.length],
    );
    const made = await atOnce(next.map((request) => (request as Send)()));
    accepted.push(...made.filter(isSuccess));
    const left = made.filter(isSuccess).map((one) => integerHeader(one, "left"));
    // The first of a new minute has the most.
    const isNew = Math.max(...left) > before;
    count = isNew ? limit - Math.min(...left.filter((one) => one > before)) : count + left.length;
    before = Math.min(...left);
    const rejection = made.find((one) => !isSuccess(one));
    if (rejection !== undefined) return { accepted, rejection, isBeyond: isOver() };
  }
  return { accepted, rejection: undefined, isBeyond: true };
}
