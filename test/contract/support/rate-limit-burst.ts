import { limits } from "../../../generated/limits.ts";
import { type Exchange, errorOf, isSuccess } from "../engine/exchange.ts";
import type { Tester } from "../engine/tester.ts";
import { idOf } from "./assertions.ts";
import { message, senderOf } from "./messages.ts";
import { limitHeaderOrNaN } from "./rate-limit.ts";

/** What came of making calls until one is refused for the request limit. */
export interface Burst {
  /** The responses to the calls that were accepted, up to the first one beyond the limit if that was accepted too. */
  accepted: Exchange[];
  /** The response to the first call that was not accepted. */
  rejection?: Exchange;
  /** The responses to calls of all products right after that, by product. */
  others: { product: string; response: Exchange }[];
  /** The response to a call when the wait that the rejection tells is over, where a hook can move the clock. */
  afterWait?: Exchange;
  /** The response to a call when a minute has passed without calls, likewise. */
  afterMinute?: Exchange;
}

const key = "burst";

const limit = limits.requestsPerMinute;

/** Calls of a minute ago are forgotten after so many seconds, whatever the clocks say. */
const minute = 61;

type Make = () => Promise<Exchange>;

/** Uses up the request limit of the account for that, with calls of all products that it has. */
export const burst = (tester: Tester): Promise<Burst> =>
  tester.once("a burst", async (own) => {
    const { calls, made } = await start(own);
    const { accepted, rejection } = await untilRejected([...calls.values()], made);
    if (rejection === undefined) return { accepted, others: [] };
    const others: Burst["others"] = [];
    for (const [product, make] of calls) others.push({ product, response: await make() });
    if (own.run.hooks.advanceClock === undefined) return { accepted, rejection, others };
    // Refused calls may count too: then what the last of them was told is longer than what the first one was.
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
    return { accepted, rejection, others, afterWait, afterMinute: await getMe(own) };
  });

const getMe = (tester: Tester): Promise<Exchange> => tester.request("getMe", { key, paced: false });

/**
 * A good call of each product that the account has, by product, and the responses to the first ones. Where the account had been
 * called already, or a call failed, a minute passes, and none of them counts.
 */
async function start(tester: Tester): Promise<{ calls: Map<string, Make>; made: Exchange[] }> {
  const calls = new Map<string, Make>([["account", () => getMe(tester)]]);
  const made = [await getMe(tester)];
  const lists = (): Promise<Exchange> => tester.request("listNewsletterLists", { key, paced: false });
  made.push(await lists());
  if (made.every(isSuccess)) calls.set("newsletter", lists);
  if (tester.settings.fixtures.domains?.ofRole?.[key] !== undefined) {
    const body = message(tester, { from: senderOf(tester, key) });
    const sent = await tester.request("sendEmail", { key, body, paced: false });
    made.push(sent);
    const id = isSuccess(sent) ? idOf(sent) : undefined;
    if (id !== undefined)
      calls.set("email", () => tester.request("getEmail", { key, path: { id }, paced: false }));
  }
  const first = made[0] as Exchange;
  if (made.every(isSuccess) && limitHeaderOrNaN(first, "left") === limit - 1) return { calls, made };
  if (tester.run.hooks.advanceClock === undefined) await tester.run.time.wait(minute * 1000);
  else await tester.hook("advanceClock", { seconds: minute });
  return { calls, made: [] };
}

/**
 * Calls until one is refused, or one too many is accepted. Where the requests left rise in between, a new minute has begun, and it
 * counts anew; one minute of calls is part of two at most.
 */
async function untilRejected(
  calls: readonly Make[],
  made: readonly Exchange[],
): Promise<Pick<Burst, "accepted" | "rejection">> {
  const accepted = [...made];
  let count = accepted.length;
  let before = Number.POSITIVE_INFINITY;
  while (count <= limit && accepted.length <= 2 * limit) {
    const exchange = await (calls[accepted.length % calls.length] as Make)();
    if (!isSuccess(exchange)) return { accepted, rejection: exchange };
    accepted.push(exchange);
    const left = limitHeaderOrNaN(exchange, "left");
    count = left > before ? 1 : count + 1;
    before = left;
  }
  return { accepted };
}

/** Whether an response refuses a call for the request limit. */
export const isRateLimited = (exchange: Exchange): boolean =>
  exchange.status === 429 && errorOf(exchange)?.type === "rate_limited";
