import { limits } from "../../generated/limits.ts";
import type { Tester } from "../engine/tester.ts";
import { type Exchange, errorOf, isSuccess } from "../exchange.ts";
import { idOf } from "./assertions.ts";
import { message, senderOf } from "./messages.ts";
import { limitHeaderOrNaN } from "./rate-limit.ts";

/** The result of sending requests until one is rejected for the rate limit. */
export interface Burst {
  /** The responses to the accepted requests, including the first beyond the limit if it was accepted. */
  accepted: Exchange[];
  /** The response to the first rejected request. */
  rejection?: Exchange;
  /** The responses to requests of all products right after that. */
  others: { product: string; response: Exchange }[];
  /** The response to a request of another account right after that, if its key is configured. */
  otherAccount?: Exchange;
  /** The response after the wait that the rejection reports, if a hook can move the clock. */
  afterWait?: Exchange;
  /** The response after a minute without requests, likewise. */
  afterMinute?: Exchange;
}

const key = "burst";

const limit = limits.requestsPerMinute;

/** In seconds; requests older than this no longer count, even with inexact clocks. */
const minute = 61;

type Send = () => Promise<Exchange>;

/** Exhausts the rate limit of the burst account with requests to all its products. */
export const burst = (tester: Tester): Promise<Burst> =>
  tester.once("a burst", async (own) => {
    const { requests, responses } = await start(own);
    const { accepted, rejection } = await untilRejected([...requests.values()], responses);
    if (rejection === undefined) return { accepted, others: [] };
    const others: Burst["others"] = [];
    for (const [product, send] of requests) others.push({ product, response: await send() });
    const separate = await fromOtherAccount(own);
    if (own.run.hooks.advanceClock === undefined) return { accepted, rejection, others, ...separate };
    // Rejected requests may count too; then the last one reports a longer wait than the first.
    const last =
      others
        .map(({ response }) => response)
        .filter(isRateLimited)
        .at(-1) ?? rejection;
    const wait = limitHeaderOrNaN(last, "wait");
    const seconds = wait <= minute ? wait : minute;
    if (seconds > 0) await own.hook("advanceClock", { seconds });
    const afterWait = await getMe(own);
    await own.hook("advanceClock", { seconds: minute });
    return { accepted, rejection, others, ...separate, afterWait, afterMinute: await getMe(own) };
  });

const getMe = (tester: Tester): Promise<Exchange> => tester.request("getMe", { key, paced: false });

async function fromOtherAccount(tester: Tester): Promise<Pick<Burst, "otherAccount">> {
  const role = "otherAccount";
  if (tester.settings.keys[role] === undefined) return {};
  const pacer = tester.run.rateLimiter(role);
  await pacer.acquire();
  const response = await tester.request("getMe", { key: role, paced: false });
  pacer.release();
  return { otherAccount: response };
}

/**
 * A valid request per product of the account, and the responses to the first ones. If the account was used before or a
 * request failed, waits a minute and returns no responses.
 */
async function start(tester: Tester): Promise<{ requests: Map<string, Send>; responses: Exchange[] }> {
  const requests = new Map<string, Send>([["account", () => getMe(tester)]]);
  const responses = [await getMe(tester)];
  const lists = (): Promise<Exchange> => tester.request("listNewsletterLists", { key, paced: false });
  responses.push(await lists());
  if (responses.every(isSuccess)) requests.set("newsletter", lists);
  if (tester.settings.fixtures.domains?.ofRole?.[key] !== undefined) {
    const body = message(tester, { from: senderOf(tester, key) });
    const sent = await tester.request("sendEmail", { key, body, paced: false });
    responses.push(sent);
    const id = isSuccess(sent) ? idOf(sent) : undefined;
    if (id !== undefined)
      requests.set("email", () => tester.request("getEmail", { key, path: { id }, paced: false }));
  }
  const first = responses[0] as Exchange;
  if (responses.every(isSuccess) && limitHeaderOrNaN(first, "left") === limit - 1)
    return { requests, responses };
  if (tester.run.hooks.advanceClock === undefined) await tester.run.time.wait(minute * 1000);
  else await tester.hook("advanceClock", { seconds: minute });
  return { requests, responses: [] };
}

/**
 * Sends requests until one is rejected, or one too many is accepted. If the remaining requests increase, a new minute
 * has begun and counting starts again; one minute of requests spans at most two.
 */
async function untilRejected(
  requests: readonly Send[],
  responses: readonly Exchange[],
): Promise<Pick<Burst, "accepted" | "rejection">> {
  const accepted = [...responses];
  let count = accepted.length;
  let before = Number.POSITIVE_INFINITY;
  while (count <= limit && accepted.length <= 2 * limit) {
    const exchange = await (requests[accepted.length % requests.length] as Send)();
    if (!isSuccess(exchange)) return { accepted, rejection: exchange };
    accepted.push(exchange);
    const left = limitHeaderOrNaN(exchange, "left");
    count = left > before ? 1 : count + 1;
    before = left;
  }
  return { accepted };
}

export const isRateLimited = (exchange: Exchange): boolean =>
  exchange.status === 429 && errorOf(exchange)?.type === "rate_limited";
