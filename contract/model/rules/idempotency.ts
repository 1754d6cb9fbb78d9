import { isDeepStrictEqual } from "node:util";
import { limits } from "../../../generated/limits.ts";
import type { Exchange } from "../../exchange.ts";
import { type Allowed, type Effect, isError, isReplay, rejected, success } from "../allowed.ts";
import { equals, type Finding } from "../findings.ts";
import { type Given, hasPassed, hour } from "../world.ts";

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
export function repeated({ world, key, idempotencyKey, body, now }: Given, fresh: Allowed[]): Allowed[] {
  const earlier = world.keyed.findLast(
    ({ request }) => request.key === key && request.idempotencyKey === idempotencyKey,
  );
  const isOver = earlier && hasPassed(limits.idempotencyWindow * hour, now - earlier.at);
  if (earlier === undefined || isOver === true) return fresh;
  const { status, json: first } = earlier.exchange;
  // The original response again. Nothing is sent and nothing is added.
  const compare: Effect = (json, exchange) => ({
    world,
    findings: [replayFinding(exchange, true), equals(["IDEM-1"], "the body", json, first)],
  });
  const isSame = isDeepStrictEqual(body, earlier.request.body);
  // Which of several errors is returned is unspecified.
  const conflict = [rejected(["IDEM-2"], "409.idempotency_conflict"), ...fresh.filter(isError)];
  const valid = isSame ? [success(["IDEM-1", "IDEM-8"], compare, status)] : conflict;
  if (isOver === false) return valid;
  return [...valid.map((one) => ({ ...one, saysReplayed: isSame })), ...fresh];
}
