import { isDeepStrictEqual } from "node:util";
import { limits } from "../../../../generated/limits.ts";
import type { Exchange } from "../../exchange.ts";
import { type Allowed, equals, type Finding, isError, isReplay, rejected } from "../allowed.ts";
import { type Given, hasPassed, hour, type KeyedRequest, type World } from "../world.ts";

/** The status and the type of the error for a key that is too long are unspecified. */
export const rejectionsOfKey = ({ idempotencyKey = "" }: Given): Allowed[] =>
  idempotencyKey.length > limits.idempotencyKeyLength ? [{ ids: ["IDEM-4"], status: "4XX" }] : [];

/** Another API key used the same idempotency key before, which means nothing for this one. */
export const idsOfOthers = ({ world: { keyed }, key, idempotencyKey }: Given): string[] =>
  keyed.some(({ request: one }) => one.key !== key && one.idempotencyKey === idempotencyKey)
    ? ["IDEM-6"]
    : [];

/** A replayed response says so, and only a replayed one does. */
export const replayFinding = (exchange: Exchange, isRepeated: boolean): Finding =>
  equals(["IDEM-7"], "idempotent-replayed", isReplay(exchange), isRepeated);

/** The responses to a request that may have an idempotency key that was used before; `fresh` are those if it was not, or is no longer valid. */
export function repeated(given: Given, fresh: Allowed[]): Allowed[] {
  const { world, key, idempotencyKey, body, now } = given;
  const earlier = world.keyed.findLast(
    ({ request }) => request.key === key && request.idempotencyKey === idempotencyKey,
  );
  const isOver = earlier && hasPassed(limits.idempotencyWindow * hour, now - earlier.at);
  if (earlier === undefined || isOver === true) return fresh;
  const isSame = isDeepStrictEqual(body, earlier.request.body);
  // Which of several errors is returned is unspecified.
  const conflict = [rejected(["IDEM-2"], "409.idempotency_conflict"), ...fresh.filter(isError)];
  const valid = isSame ? [replayOf(world, earlier)] : conflict;
  if (isOver === false) return valid;
  return [...valid.map((one) => ({ ...one, saysReplayed: isSame })), ...fresh];
}

/** The original response again. Nothing is sent and nothing is added. */
const replayOf = (world: World, { exchange: { status, json: first } }: KeyedRequest): Allowed => ({
  ids: ["IDEM-1", "IDEM-8"],
  status,
  effect: (json, exchange) => ({
    world,
    findings: [replayFinding(exchange, true), equals(["IDEM-1"], "the body", json, first)],
  }),
});
