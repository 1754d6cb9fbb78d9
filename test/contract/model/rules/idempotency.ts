import { isDeepStrictEqual } from "node:util";
import { limits } from "../../../../generated/limits.ts";
import type { Exchange } from "../../exchange.ts";
import { finding } from "../../response-checks/finding.ts";
import { format } from "../../support/assertions.ts";
import { type Allowed, isError, rejected } from "../allowed.ts";
import type { Context, KeyedRequest, ModelRequest, World } from "../world.ts";

const hour = 3_600_000;

/** The request whose response this one replays, or that it conflicts with. Each API key has its own idempotency keys (IDEM-6). */
export const earlierRequest = (world: World, request: ModelRequest): KeyedRequest | undefined =>
  request.idempotencyKey === undefined
    ? undefined
    : world.keyed.findLast(
        ({ request: one }) => one.key === request.key && one.idempotencyKey === request.idempotencyKey,
      );

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
  return age < limits.idempotencyWindow * hour - hour ? valid : [...valid, ...fresh];
}

/** The original response again. Nothing is sent and nothing is added. */
const replayOf = (world: World, { exchange: first }: KeyedRequest): Allowed => ({
  ids: ["IDEM-1", "IDEM-8"],
  status: first.status,
  effect: (exchange: Exchange) => ({
    world,
    findings: [
      finding(["IDEM-7"], "a replayed response says so", exchange.headers["idempotent-replayed"] === "true", {
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
