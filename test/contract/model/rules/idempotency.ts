import { isDeepStrictEqual } from "node:util";
import { limits } from "../../../../generated/limits.ts";
import type { Exchange } from "../../exchange.ts";
import { format } from "../../support/assertions.ts";
import { type Allowed, expects, type Finding, isError, isReplay, rejected } from "../allowed.ts";
import type { Context, KeyedRequest, ModelRequest, World } from "../world.ts";

const hour = 3_600_000;

/** The request whose response this one replays, or that it conflicts with. Each API key has its own idempotency keys (IDEM-6). */
export const earlierRequest = ({ keyed }: World, { key, idempotencyKey }: ModelRequest) =>
  keyed.findLast(({ request: one }) => one.key === key && one.idempotencyKey === idempotencyKey);

/** Another API key used the same idempotency key before, which means nothing for this one. */
export const idsOfOthers = ({ keyed }: World, { key, idempotencyKey }: ModelRequest): string[] =>
  keyed.some(({ request: one }) => one.key !== key && one.idempotencyKey === idempotencyKey)
    ? ["IDEM-6"]
    : [];

/** The status and the type of the error for a key that is too long are unspecified. */
export const rejectionsOfKey = ({ idempotencyKey = "" }: ModelRequest): Allowed[] =>
  idempotencyKey.length > limits.idempotencyKeyLength ? [{ ids: ["IDEM-4"], status: "4XX" }] : [];

/** A replayed response says so, and only a replayed one does. */
export function replayFinding(exchange: Exchange, isRepeated: boolean): Finding {
  const name = "idempotent-replayed";
  const expected = isRepeated ? `${name}: true` : `no ${name}: true in the first response`;
  const found = `${name}: ${exchange.headers[name] ?? "none"}`;
  return expects(["IDEM-7"], isReplay(exchange) === isRepeated, expected, found);
}

/** The responses to a request with an idempotency key that was used before; `fresh` are those if it is no longer valid. */
export function repeated(
  world: World,
  request: ModelRequest,
  earlier: KeyedRequest,
  { now }: Context,
  fresh: Allowed[],
): Allowed[] {
  const age = now - earlier.at;
  if (age > limits.idempotencyWindow * hour + hour) return fresh;
  const isSame = isDeepStrictEqual(request.body, earlier.request.body);
  // Which of several errors is returned is unspecified.
  const conflict = [rejected(["IDEM-2"], "409.idempotency_conflict"), ...fresh.filter(isError)];
  const valid = isSame ? [replayOf(world, earlier)] : conflict;
  if (age < limits.idempotencyWindow * hour - hour) return valid;
  return [...valid.map((one) => ({ ...one, saysReplayed: isSame })), ...fresh];
}

/** The original response again. Nothing is sent and nothing is added. */
const replayOf = (world: World, { exchange: { status, json: first } }: KeyedRequest): Allowed => ({
  ids: ["IDEM-1", "IDEM-8"],
  status,
  effect: (json, exchange) => {
    const isSame = expects(["IDEM-1"], isDeepStrictEqual(json, first), format(first), format(json));
    return { world, findings: [replayFinding(exchange, true), isSame] };
  },
});
