import type { OperationId } from "../../generated/operations.ts";
import { sortedJson } from "../../lib/objects.ts";
import { isSame } from "../difference.ts";
import { AssertionFailure } from "../engine/assert.ts";
import { type CaseOptions, type Check, check, testCase } from "../engine/check.ts";
import type { Tester } from "../engine/tester.ts";
import { type Exchange, isReplay, isSuccess, type RequestOptions } from "../exchange.ts";
import { format } from "./assertions.ts";

export type Request = readonly [OperationId, RequestOptions];
export type Values = Record<string, unknown>;

/** Requests about something that no other attempt is about: two, or several equal ones. */
export interface Attempt {
  requests: readonly Request[];
  /** What is compared: the state after the responses, which are in the order of the requests. */
  observe(responses: readonly Exchange[]): Promise<Values> | Values;
}

export interface Race extends CaseOptions {
  title?: string;
  prepare(tester: Tester): Promise<Attempt>;
  /** What is right too, although neither order leads to it. */
  also?: Values;
}

/** Twice, each request the first one once: which of them the server takes first is chance. */
const orders = [false, true] as const;

/**
 * Sends requests at the same time and asserts that the state after them is one that they lead to if they are sent one after the other, in
 * either order. Nothing else is specified of them.
 * @param ids the requirements that another state violates
 */
export const raceCheck = (ids: readonly string[], title: string, races: readonly Race[]): Check =>
  check(
    // The requests end in no server failure.
    [...ids, "ERR-13"],
    title,
    races.map(({ title: own = "", prepare, also, ...options }) =>
      testCase(own, { core: false, ...options }, async (tester) => {
        const allowed = also === undefined ? [] : [also];
        const untried = [...orders];
        for (const isReversed of tester.settings.profile === "core" ? [false] : orders) {
          const attempt = await prepare(tester);
          const before = tester.exchanges.length;
          const values = await observed(tester, attempt, isReversed, true);
          const shownBy = tester.exchanges.slice(before);
          while (!allowed.some((one) => isSame(one, values))) {
            const order = untried.shift();
            if (order === undefined) throw unexpected(ids, values, allowed, shownBy);
            allowed.push(await observed(tester, await prepare(tester), order, false));
          }
        }
      }),
    ),
  );

/** The state after requests that are sent at the same time or one by one. */
async function observed(
  tester: Tester,
  { requests, observe }: Attempt,
  isReversed: boolean,
  isConcurrent: boolean,
): Promise<Values> {
  const inOrder = <One>(all: readonly One[]): One[] => (isReversed ? all.toReversed() : [...all]);
  const responses: (Exchange | Promise<Exchange>)[] = [];
  for (const request of inOrder(requests)) {
    const response = tester.request(...request);
    responses.push(isConcurrent ? response : await response);
  }
  const made = isConcurrent ? atOnce(responses) : Promise.all(responses);
  return observe(inOrder(await made));
}

/** Waits for responses to requests that are sent at the same time: reports say so. */
export async function atOnce(responses: readonly (Exchange | Promise<Exchange>)[]): Promise<Exchange[]> {
  const made = await Promise.all(responses);
  for (const response of made) response.atOnce = made.length > 1;
  return made;
}

/** What the requirements that are not about every value are about. */
const subjects: Record<string, RegExp> = { "CONT-16": /^tags/, "MEMB-8": /^tags/, "UNSUB-10": /^(status|m)/ };

/** Names the first value that differs from those of the last state. */
function unexpected(
  ids: readonly string[],
  values: Values,
  allowed: readonly Values[],
  shownBy: readonly Exchange[],
): AssertionFailure {
  const names = Object.keys({ ...allowed.at(-1), ...values });
  const isRight = (name: string): boolean => allowed.some((one) => isSame(one[name], values[name]));
  const name = names.find((one) => !isRight(one)) ?? names[0] ?? "";
  const right = new Map(allowed.map((one) => [sortedJson(one[name]), format(one[name], values[name])]));
  const expected = `${name} ${[...right.values()].join(" or ")} after concurrent requests, as if sent one by one`;
  const own = ids.filter((id) => subjects[id]?.test(name) !== false);
  const failure = { expected, found: format(values[name], allowed[0]?.[name]), since: shownBy[0] };
  return new AssertionFailure(shownBy.at(-1), failure, own);
}

/** Of requests with one idempotency key: one that is not performed is a replay or a conflict. */
export function performedOf(responses: readonly Exchange[]): Values {
  const accepted = responses.filter(isSuccess);
  return {
    "number of requests performed": accepted.filter((one) => !isReplay(one)).length,
    "number of different bodies": accepted.filter(
      ({ json }, index) => accepted.findIndex((one) => isSame(one.json, json)) === index,
    ).length,
    "other statuses than success and 409": responses
      .map(({ status }) => status)
      .filter((status) => status !== 409 && !isSuccess({ status })),
  };
}
