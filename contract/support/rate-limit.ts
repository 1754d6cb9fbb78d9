import { headers as responseHeaders } from "../../generated/headers.ts";
import { limits } from "../../generated/limits.ts";
import { type OperationId, operations } from "../../generated/operations.ts";
import { assert, NotVerified, OutsideRun } from "../engine/assert.ts";
import { caseOf, type Need, scenario, type TestCase } from "../engine/check.ts";
import { windowSeconds } from "../engine/run.ts";
import { missingNeeds } from "../engine/run-case.ts";
import { isInRun, type Role } from "../engine/settings.ts";
import type { Tester } from "../engine/tester.ts";
import { type Exchange, isRateLimited, isSuccess, type RequestOptions } from "../exchange.ts";
import { entriesIn, idOf, requestOk } from "./assertions.ts";
import { batchOf, hour, message, secondsAhead, senderOf } from "./messages.ts";
import { lightestOperation, needsOf, validRequest } from "./requests.ts";

/** The rate limit and quota headers, in lower case. */
const names = {
  limit: responseHeaders.RateLimitLimit.name.toLowerCase(),
  left: responseHeaders.RateLimitRemaining.name.toLowerCase(),
  wait: responseHeaders.RetryAfter.name.toLowerCase(),
  quota: responseHeaders.MonthlyQuota.name.toLowerCase(),
  allowance: responseHeaders.MonthlyRemaining.name.toLowerCase(),
} as const;

export function limitHeader(exchange: Exchange, name: keyof typeof names): number {
  const number = limitHeaderOrNaN(exchange, name);
  assert(!Number.isNaN(number), exchange, {
    expected: `${names[name]} with an integer`,
    found: exchange.headers[names[name]] ?? "no such header",
  });
  return number;
}

export function limitHeaderOrNaN(exchange: Exchange, name: keyof typeof names): number {
  const text = exchange.headers[names[name]] ?? "";
  return /^\d+$/.test(text) ? Number(text) : Number.NaN;
}

/** A remaining monthly allowance that is wrong, and the right one, with the numbers of recipients counted; `what` says which. */
export const quotaFailure = (
  { before, expected, found }: { before: number; expected: number | string; found: number },
  recipients: number | string,
  what = "",
) => ({
  expected: `${names.allowance} ${expected}: ${before} before, less ${recipients}${what && ` (${what})`}`,
  found: `${names.allowance} ${found}: ${found > before ? `${found - before} more than before` : `${before - found} counted`}`,
});

/** A request, between two identical small requests. */
interface Step {
  before: Exchange;
  made: Exchange;
  after: Exchange;
}

type StepName = "account" | "newsletter" | "email" | "batch" | "second" | "otherAccount" | "otherNewsletter";

/** Requests that each count once toward the rate limit of one account, and those of another account that do not. */
const stepRequests: Record<StepName, { operation: OperationId; needs?: readonly Need[]; key?: Role }> = {
  account: { operation: "getMe" },
  newsletter: { operation: "listNewsletterLists" },
  email: { operation: "getEmail" },
  batch: { operation: "sendBatch" },
  second: { operation: "getMe", key: "second" },
  otherAccount: { operation: "getMe", key: "otherAccount" },
  otherNewsletter: { operation: "listNewsletterLists", key: "otherAccount", needs: ["lists.otherAccount"] },
};
const steps = Object.keys(stepRequests) as StepName[];

/** The operation of a step: where `getMe` is missing, another one. */
const operationOf = (tester: Tester, name: StepName): OperationId => {
  const { operation } = stepRequests[name];
  return operation === "getMe" ? lightestOperation(tester) : operation;
};

const countOf = (name: StepName): 0 | 1 => (stepRequests[name].key === "otherAccount" ? 0 : 1);

/** The steps of one sequence, without those that lack a fixture. */
type RequestSequence = Partial<Record<StepName, Step>>;

/**
 * The minimum number of sequences that must show a wrong count. Few enough to stay within the rate limit, enough to
 * exclude coincidental requests of others.
 */
const fewest = 9;

/** The share of the sequences that must show the same wrong count. */
const most = 0.8;

/** The mean pause between requests of a repeated sequence, in milliseconds. */
const usualPause = 100;

/**
 * Sequences of requests to all products and with two keys of one account. They are repeated if the minute turned or
 * others used the account.
 */
const requestSequences = (tester: Tester): Promise<RequestSequence[]> =>
  tester.once("sequences of requests", async (own) => {
    const sequences: RequestSequence[] = [];
    const another = async (): Promise<RequestSequence> => {
      // Another run may send the same sequence; random pauses keep the two from interleaving the same way each time.
      const pause = sequences.length === 0 ? undefined : () => own.run.time.wait(anyPause());
      const made = await requestSequence(own, pause);
      sequences.push(made);
      return made;
    };
    await own.until(another, isRight, own.settings.deadlines.dispatch, 1000);
    while (sequences.length < fewest && !isRight(sequences.at(-1))) await another();
    return sequences;
  });

const isRight = (sequence: RequestSequence = {}): boolean =>
  steps.every((name) => {
    const step = sequence[name];
    return step === undefined || decrease(step, "after") === countOf(name) + 1;
  });

const anyPause = (): number => Math.min(1000, -Math.log(1 - Math.random()) * usualPause);

async function requestSequence(tester: Tester, pause: () => Promise<void> = async () => {}) {
  const sequence: RequestSequence = {};
  const parts = new Map<StepName, RequestOptions>();
  for (const name of steps) {
    const { key, needs: own = [] } = stepRequests[name];
    const operation = operationOf(tester, name);
    const needs = [...own, ...needsOf(operation), ...(key === undefined ? [] : [`keys.${key}` as const])];
    if (lackOf(tester, name) !== undefined || missingNeeds(tester.settings, needs).length > 0) continue;
    const options = name === "batch" ? { body: largeBatch(tester) } : await validRequest(tester, operation);
    parts.set(name, { ...options, ...(key === undefined ? {} : { key }) });
  }
  await pause();
  const small = lightestOperation(tester);
  const ask = async () => requestOk(tester, small, await validRequest(tester, small));
  let before = await ask();
  for (const [name, options] of parts) {
    await pause();
    const made = await requestOk(tester, operationOf(tester, name), options);
    await pause();
    const after = await ask();
    sequence[name] = { before, made, after };
    before = after;
  }
  return sequence;
}

/** The largest one in profiles that have the time. */
const largeBatch = (tester: Tester) => {
  const length = tester.settings.profile === "core" ? 3 : limits.batchMessages;
  return batchOf(...Array.from({ length }, () => message(tester)));
};

/** How far the remaining requests decreased up to a response of a step. */
const decrease = (step: Step, upTo: "made" | "after"): number =>
  limitHeader(step.before, "left") - limitHeader(step[upTo], "left");

/** The steps that any other request can be compared with. */
const anywhere: readonly StepName[] = ["account", "second", "batch"];

/** The operation outside the run that a step needs: its own, or `getMe` to compare it with one of another product or account. */
function lackOf({ settings }: Tester, name: StepName): OperationId | undefined {
  const { operation } = stepRequests[name];
  const needed = anywhere.includes(name) ? [operation] : [operation, "getMe" as const];
  return needed.find((one) => !isInRun(settings, one) && (one !== "getMe" || !anywhere.includes(name)));
}

/** Asserts that the request of a step counted once, or not at all if it is one of another account, and the one after it once. */
export async function assertCounts(tester: Tester, name: StepName): Promise<void> {
  const lack = lackOf(tester, name);
  if (lack !== undefined) throw new OutsideRun(lack);
  assertDecrease(await requestSequences(tester), name, "after", countOf(name) === 0 ? 1 : 2);
}

/** Asserts that the response of each step that counts reports one less than the one before. */
export async function assertEachOneLess(tester: Tester): Promise<void> {
  const sequences = await requestSequences(tester);
  for (const name of steps) if (countOf(name) === 1) assertDecrease(sequences, name, "made", 1);
}

/**
 * Asserts how far the remaining requests decrease within a step.
 * @throws AssertionFailure if most sequences show the same wrong number, NotVerified if they differ
 */
function assertDecrease(
  sequences: readonly RequestSequence[],
  name: StepName,
  upTo: "made" | "after",
  made: 1 | 2,
): void {
  const found = sequences.flatMap(({ [name]: step }) =>
    step === undefined ? [] : [{ step, fall: decrease(step, upTo) }],
  );
  const ofFall = Object.values(Object.groupBy(found, ({ fall }) => fall));
  const often = ofFall.toSorted((one = [], other = []) => other.length - one.length)[0] ?? [];
  const right = found.filter(({ fall }) => fall === made).length;
  const last = often.at(-1);
  if (last === undefined || right === often.length) return;
  if (often.length < most * found.length)
    throw new NotVerified(
      `Others use this account: the remaining requests decreased by ${found.map(({ fall }) => fall).join(", ")}.`,
    );
  const start = limitHeader(last.step.before, "left");
  assert(false, last.step[upTo], {
    expected: `${names.left} ${start - made} after ${made === 1 ? "one request" : "two requests"} at ${start}`,
    found: `${start - last.fall}, the same in ${often.length} of ${found.length} attempts`,
  });
}

/** The result of sending requests until one is rejected for the rate limit. */
interface Burst {
  /** The responses to the accepted requests, including the first beyond the limit if it was accepted. */
  accepted: Exchange[];
  /** The response to the first rejected request. */
  rejection?: Exchange;
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
  again?: Pick<Burst, "accepted" | "rejection">;
}

const key = "burst";

type Send = () => Promise<Exchange>;

/** Exhausts the rate limit of the burst account with requests to all its products. */
export const burst = scenario("a burst", ["keys.burst"], async (own): Promise<Burst> => {
  const { requests, writes, responses, pass } = await start(own);
  const { accepted, rejection } = await untilRejected([...requests.values()], responses);
  const others: Burst["others"] = [];
  if (rejection === undefined) return { accepted, others };
  for (const [product, send] of [...requests, ...writes]) others.push({ product, response: await send() });
  const otherAccount = await fromOtherAccount(own);
  if (own.run.hooks.advanceClock === undefined) return { accepted, rejection, others, otherAccount };
  // Rejected requests may count too: then a later one reports a longer wait than the first.
  const waitOf = (response: Exchange): number =>
    Math.min(limitHeaderOrNaN(response, "wait") || 0, windowSeconds);
  const last = others.findLast(({ response }) => isRateLimited(response))?.response ?? rejection;
  const half = Math.floor(waitOf(last) / 2);
  await pass(half);
  const early = await askLeast(own);
  await pass(isRateLimited(early) ? waitOf(early) : waitOf(last) - half);
  const afterWait = await askLeast(own);
  await pass(windowSeconds);
  const afterMinute = await askLeast(own);
  const again = await untilRejected([...requests.values()], [afterMinute]);
  await pass(windowSeconds);
  const found = await afterWrites(own, writes);
  return { accepted, rejection, others, otherAccount, afterWait, afterMinute, writes: found, again };
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
    if (response === undefined) throw new NotVerified("No request was rejected.");
    assertResponse(response, found);
  });
};

/** What rejected writes led to: a contact, or less of the monthly quota than the one send that is made here uses. */
async function afterWrites(tester: Tester, writes: ReadonlyMap<string, Send>) {
  const path = { email: contactOf(tester) };
  const sent = await writes.get("sendEmail")?.();
  if (!writes.has("upsertContact")) return { sent, contact: undefined };
  return { sent, contact: await ask(tester, "getContact", { path }) };
}

const contactOf = ({ settings }: Tester): string =>
  `contract-${settings.runId}-burst@${settings.fixtures.contactDomain ?? "example.com"}`;

const ask = (tester: Tester, operation: OperationId, options: RequestOptions = {}): Promise<Exchange> =>
  tester.request(operation, { key, paced: false, ...options });

/** @throws OutsideRun if the account cannot do without `getMe` */
async function askLeast(tester: Tester): Promise<Exchange> {
  const operation = lightestOperation(tester);
  const response = operations[operation].method === "GET" ? await ask(tester, operation) : undefined;
  const isWrong = operation !== "getMe" && response?.status === 402;
  if (response === undefined || isWrong) throw new OutsideRun("getMe");
  return response;
}

async function fromOtherAccount(tester: Tester): Promise<Exchange | undefined> {
  const role = "otherAccount";
  const operation = lightestOperation(tester);
  if (tester.settings.keys[role] === undefined || operations[operation].method !== "GET") return undefined;
  const pacer = tester.run.rateLimiter(role);
  await pacer.acquire();
  const response = await tester.request(operation, { key: role, paced: false });
  pacer.release();
  return response;
}

/**
 * A valid request per product of the account, its writes, the responses to the first ones, and how time passes for the rate limit. If the account was used before or a
 * request failed, waits a minute and returns no responses.
 */
async function start(tester: Tester) {
  const { advanceClock } = tester.run.hooks;
  const isThere = (operation: OperationId): boolean => isInRun(tester.settings, operation);
  const first = await askLeast(tester);
  if (advanceClock !== undefined) await tester.hook("advanceClock", { seconds: windowSeconds });
  const responses = advanceClock === undefined ? [first] : [first, await askLeast(tester)];
  const [before = 0, after = 0] = responses.map((one) => limitHeaderOrNaN(one, "left"));
  // Whether the hook moves the window of the rate limit is unspecified: one that counts in real time is waited for.
  const isMoved = advanceClock !== undefined && !(after < before);
  if (isMoved) responses.shift();
  const pass = async (seconds: number): Promise<void> => {
    if (seconds > 0 && isMoved) await tester.hook("advanceClock", { seconds });
    else if (seconds > 0) await tester.run.time.wait(seconds * 1000);
  };
  const writes = new Map<string, Send>();
  const write = (operation: OperationId, options: RequestOptions) =>
    isThere(operation) && writes.set(operation, () => ask(tester, operation, options));
  const requests = new Map<string, Send>([["account", () => askLeast(tester)]]);
  const lists = () => ask(tester, "listNewsletterLists");
  const listed = isThere("listNewsletterLists") ? await lists() : undefined;
  if (listed !== undefined) responses.push(listed);
  if (listed !== undefined && responses.every(isSuccess)) {
    requests.set("newsletter", lists);
    const [list] = entriesIn(listed, "lists");
    if (list !== undefined && isThere("upsertContact")) {
      const body = { email: contactOf(tester), list_id: list.id };
      const path = { email: `old-${body.email}` };
      responses.push(await ask(tester, "upsertContact", { body: { ...body, ...path } }));
      if (isThere("getContact")) requests.set("newsletter", () => ask(tester, "getContact", { path }));
      write("upsertContact", { body });
      write("unsubscribeContact", { path, body: {} });
    }
  }
  if (isThere("sendEmail") && tester.settings.fixtures.domains?.ofRole?.[key] !== undefined) {
    const body = message(tester, { from: senderOf(tester, key) });
    const [later, sooner] = [6, 5].map((hours) => ({ scheduled_at: secondsAhead(tester, hours * hour) }));
    const sent = await ask(tester, "sendEmail", { body });
    const scheduled = await ask(tester, "sendEmail", { body: { ...body, ...later } });
    responses.push(sent, scheduled);
    if (isSuccess(sent) && isSuccess(scheduled)) {
      const path = { id: idOf(scheduled) };
      if (isThere("getEmail")) requests.set("email", () => ask(tester, "getEmail", { path }));
      write("sendEmail", { body });
      write("sendBatch", { body: batchOf(body) });
      write("rescheduleEmail", { path, body: sooner });
      write("cancelEmail", { path });
    }
  }
  const left = limitHeaderOrNaN(responses[0] as Exchange, "left");
  if (responses.every(isSuccess) && left === limits.requestsPerMinute - 1)
    return { requests, writes, responses, pass };
  await pass(windowSeconds);
  return { requests, writes, responses: [], pass };
}

/**
 * Sends requests until one is rejected, or one too many is accepted. If the remaining requests increase, a new minute
 * has begun and counting starts again; one minute of requests spans at most two.
 */
async function untilRejected(requests: readonly Send[], responses: readonly Exchange[]) {
  const accepted = [...responses];
  let count = accepted.length;
  let before = Number.POSITIVE_INFINITY;
  while (count <= limits.requestsPerMinute && accepted.length <= 2 * limits.requestsPerMinute) {
    const exchange = await (requests[accepted.length % requests.length] as Send)();
    if (!isSuccess(exchange)) return { accepted, rejection: exchange };
    accepted.push(exchange);
    const left = limitHeaderOrNaN(exchange, "left");
    count = left > before ? 1 : count + 1;
    before = left;
  }
  return { accepted };
}
