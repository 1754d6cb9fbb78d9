import { isDeepStrictEqual } from "node:util";
import { limits } from "../../../../generated/limits.ts";
import type { Exchange } from "../../exchange.ts";
import { finding, type ResponseFinding } from "../../response-checks/finding.ts";
import { format } from "../../support/assertions.ts";
import { type Allowed, isError, isReplay, rejected } from "../allowed.ts";
import type { Context, KeyedRequest, ModelRequest, World } from "../world.ts";

const hour = 3_600_000;

/** The request whose response this one replays, or that it conflicts with. Each API key has its own idempotency keys (IDEM-6). */
export const earlierRequest = (world: World, request: ModelRequest): KeyedRequest | undefined =>
  request.idempotencyKey === undefined
    ? undefined
    : world.keyed.findLast(
        ({ request: one }) => one.key === request.key && one.idempotencyKey === request.idempotencyKey,
      );

/** Another API key used the same idempotency key before, which means nothing for this one. */
export const idsOfOthers = (world: World, { key, idempotencyKey }: ModelRequest): string[] =>
  idempotencyKey !== undefined &&
  world.keyed.some(({ request: one }) => one.key !== key && one.idempotencyKey === idempotencyKey)
    ? ["IDEM-6"]
    : [];

/** The status and the type of the error for a key that is too long are unspecified. */
export const rejectionsOfKey = ({ idempotencyKey = "" }: ModelRequest): Allowed[] =>
  idempotencyKey.length > limits.idempotencyKeyLength ? [{ ids: ["IDEM-4"], status: "4XX" }] : [];

/** The first response to a request is no replay. */
export const firstFinding = (exchange: Exchange): ResponseFinding =>
  finding(["IDEM-7"], "only a replayed response says so", !isReplay(exchange), {
    expected: "no idempotent-replayed: true in the first response",
    found: "idempotent-replayed: true",
  });

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
const replayOf = (world: World, { exchange: first }: KeyedRequest): Allowed => ({
  ids: ["IDEM-1", "IDEM-8"],
  status: first.status,
  effect: (exchange: Exchange) => ({
    world,
    findings: [
      finding(["IDEM-7"], "a replayed response says so", isReplay(exchange), {
        expected: "idempotent-replayed: true",
        found: `idempotent-replayed: ${exchange.headers["idempotent-replayed"] ?? "none"}`,
      }),
      finding(
        ["IDEM-1"],
        "a replay has the body of the original response",
        isDeepStrictEqual(exchange.json, first.json),
        {
          expected: format(first.json),
          found: format(exchange.json),
        },
      ),
    ],
  }),
});
