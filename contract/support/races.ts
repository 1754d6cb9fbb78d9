import { isDeepStrictEqual } from "node:util";
import type { OperationId } from "../../generated/operations.ts";
import { sortedJson } from "../../lib/objects.ts";
import { AssertionFailure } from "../engine/assert.ts";
import type { Tester } from "../engine/tester.ts";
import { type Exchange, isSuccess, type RequestOptions } from "../exchange.ts";
import { format } from "./assertions.ts";

export type Request = readonly [OperationId, RequestOptions];
type Values = Record<string, unknown>;

/** Requests about something that no other attempt is about: two, or several equal ones. */
export interface Attempt {
  requests: readonly Request[];
  /** What is compared: the state after the responses, which are in the order of the requests. */
  observe(responses: readonly Exchange[]): Promise<Values> | Values;
  /** What is right too, although neither order leads to it. */
  also?: Values;
}

/** How often requests are sent at the same time: which of them comes first is chance. */
const attempts = 3;

/**
 * Sends requests at the same time, several times, and asserts that the state after them is one that they lead to if they are sent one
 * after the other, in either order. Nothing else is specified of them, but they cause no server failure.
 *
 * @param ids the requirements that another state violates
 */
export const race =
  (ids: readonly string[], prepare: (tester: Tester) => Promise<Attempt>) =>
  async (tester: Tester): Promise<void> => {
    const allowed: Values[] = [];
    const orders = [false, true];
    for (let index = 0; index < (tester.settings.profile === "core" ? 1 : attempts); index += 1) {
      const { requests, observe, also } = await prepare(tester);
      const responses = await send(tester, requests, index % 2 === 1, true);
      const values = await observe(responses);
      const shownBy = tester.exchanges.at(-1);
      if (also !== undefined) allowed.push(also);
      while (!allowed.some((one) => isDeepStrictEqual(one, values))) {
        const isReversed = orders.shift();
        if (isReversed === undefined) throw unexpected(ids, values, allowed, shownBy);
        const other = await prepare(tester);
        allowed.push(await other.observe(await send(tester, other.requests, isReversed, false)));
      }
    }
  };

/** Sends requests at the same time or one by one. */
async function send(
  tester: Tester,
  requests: readonly Request[],
  isReversed: boolean,
  isConcurrent: boolean,
): Promise<Exchange[]> {
  const inOrder = <One>(all: readonly One[]): One[] => (isReversed ? all.toReversed() : [...all]);
  const responses: (Exchange | Promise<Exchange>)[] = [];
  for (const request of inOrder(requests)) {
    const response = tester.request(...request);
    responses.push(isConcurrent ? response : await response);
  }
  const all = await Promise.all(responses);
  const failed = all.find(({ status }) => status >= 500);
  const failure = {
    expected: "no server failure for concurrent requests",
    found: `status ${failed?.status}`,
  };
  if (failed !== undefined) throw new AssertionFailure(failed, failure, ["ERR-13"]);
  return inOrder(all);
}

/** Names the first value that differs from those of the last state. */
function unexpected(
  ids: readonly string[],
  values: Values,
  allowed: readonly Values[],
  shownBy: Exchange | undefined,
): AssertionFailure {
  const names = Object.keys({ ...allowed.at(-1), ...values });
  const isIn = (one: Values, name: string): boolean => isDeepStrictEqual(one[name], values[name]);
  const name = names.find((one) => !allowed.some((other) => isIn(other, one))) ?? names[0] ?? "";
  const right = new Map(allowed.map((one) => [sortedJson(one[name]), format(one[name])]));
  const expected = `${name} ${[...right.values()].join(" or ")} after concurrent requests, as in either order`;
  return new AssertionFailure(shownBy, { expected, found: format(values[name]) }, ids);
}

/** Of requests with one idempotency key: one that is not performed is a replay or a conflict. */
export function performedOf(responses: readonly Exchange[]): Values {
  const accepted = responses.filter(isSuccess);
  const performed = accepted.filter(({ headers }) => headers["idempotent-replayed"] !== "true");
  const others = responses.filter((one) => !isSuccess(one) && one.status !== 409);
  return {
    "number of requests performed": performed.length,
    "number of different bodies": new Set(accepted.map(({ json }) => sortedJson(json))).size,
    "other statuses than success and 409": others.map(({ status }) => status),
  };
}
