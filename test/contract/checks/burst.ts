import { limits } from "../../../generated/limits.ts";
import { type Exchange, errorOf, isSuccess } from "../engine/exchange.ts";
import type { Tester } from "../engine/tester.ts";
import { numberOrNot } from "./budget.ts";
import { idOf, message, senderOf } from "./kit.ts";

/** What came of making calls until one is refused for the request limit. */
export interface Burst {
  /** The answers to the calls that were taken, up to the first one beyond the limit if that was taken too. */
  taken: Exchange[];
  /** The answer to the first call that was not taken. */
  refusal?: Exchange;
  /** The answers to calls of all products right after that, by product. */
  others: { product: string; answer: Exchange }[];
  /** The answer to a call when the wait that the refusal tells is over, where a hook can move the clock. */
  afterWait?: Exchange;
  /** The answer to a call when a minute has passed without calls, likewise. */
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
    const { calls, made } = await begin(own);
    const { taken, refusal } = await untilRefused([...calls.values()], made);
    if (refusal === undefined) return { taken, others: [] };
    const others: Burst["others"] = [];
    for (const [product, make] of calls) others.push({ product, answer: await make() });
    if (own.run.hooks.advanceClock === undefined) return { taken, refusal, others };
    // Refused calls may count too: then what the last of them was told is longer than what the first one was.
    const last =
      others
        .map(({ answer }) => answer)
        .filter(isTooMany)
        .at(-1) ?? refusal;
    const wait = numberOrNot(last, "wait");
    const seconds = wait <= minute ? wait : minute;
    if (seconds > 0) await own.hook("advanceClock", { seconds });
    const afterWait = await askMe(own);
    await own.hook("advanceClock", { seconds: minute });
    return { taken, refusal, others, afterWait, afterMinute: await askMe(own) };
  });

const askMe = (tester: Tester): Promise<Exchange> => tester.request("getMe", { key, paced: false });

/**
 * A good call of each product that the account has, by product, and the answers to the first ones. Where the account had been
 * called already, or a call failed, a minute passes, and none of them counts.
 */
async function begin(tester: Tester): Promise<{ calls: Map<string, Make>; made: Exchange[] }> {
  const calls = new Map<string, Make>([["account", () => askMe(tester)]]);
  const made = [await askMe(tester)];
  const lists = (): Promise<Exchange> => tester.request("listNewsletterLists", { key, paced: false });
  made.push(await lists());
  if (made.every(isSuccess)) calls.set("newsletter", lists);
  if (tester.settings.fixtures.domains?.ofRole?.[key] !== undefined) {
    const body = message(tester, { from: senderOf(tester, key) });
    const sent = await tester.request("sendEmail", { key, body, paced: false });
    made.push(sent);
    const part = isSuccess(sent) ? idOf(sent) : undefined;
    if (part !== undefined)
      calls.set("email", () => tester.request("getEmail", { key, path: { id: part }, paced: false }));
  }
  const first = made[0] as Exchange;
  if (made.every(isSuccess) && numberOrNot(first, "left") === limit - 1) return { calls, made };
  if (tester.run.hooks.advanceClock === undefined) await tester.run.time.wait(minute * 1000);
  else await tester.hook("advanceClock", { seconds: minute });
  return { calls, made: [] };
}

/**
 * Calls until one is refused, or one too many is taken. Where the requests left rise in between, a new minute has begun, and it
 * counts anew; one minute of calls is part of two at most.
 */
async function untilRefused(
  calls: readonly Make[],
  made: readonly Exchange[],
): Promise<Pick<Burst, "taken" | "refusal">> {
  const taken = [...made];
  let count = taken.length;
  let before = Number.POSITIVE_INFINITY;
  while (count <= limit && taken.length <= 2 * limit) {
    const exchange = await (calls[taken.length % calls.length] as Make)();
    if (!isSuccess(exchange)) return { taken, refusal: exchange };
    taken.push(exchange);
    const left = numberOrNot(exchange, "left");
    count = left > before ? 1 : count + 1;
    before = left;
  }
  return { taken };
}

/** Whether an answer refuses a call for the request limit. */
export const isTooMany = (exchange: Exchange): boolean =>
  exchange.status === 429 && errorOf(exchange)?.type === "rate_limited";
