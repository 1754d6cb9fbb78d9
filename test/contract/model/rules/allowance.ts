import { document, headerName } from "../../document.ts";
import { accountOf } from "../../engine/settings.ts";
import type { Exchange } from "../../exchange.ts";
import { finding, type ResponseFinding } from "../../response-checks/finding.ts";
import { equals } from "../allowed.ts";
import type { Allowance, Context, Message, ModelRequest, World } from "../world.ts";
import { recipientFields, recipientsOf } from "./recipients.ts";

const totalHeader = headerName(document, "MonthlyQuota").toLowerCase();
const remainingHeader = headerName(document, "MonthlyRemaining").toLowerCase();

/** The least and the most. */
type Range = readonly [number, number];

/**
 * How many recipients of a message count toward the allowance by now. A scheduled message counts once it is sent, a batch is sent
 * within moments. Whether suppressed recipients count, and a recipient in two fields twice, is unspecified.
 */
function chargeOf({ sent, suppressed, kind, dueAt, isCanceled, record }: Message, now: number): Range {
  const entries = recipientFields.flatMap((field) => (sent[field] ?? []) as string[]);
  const recipients = recipientsOf(sent);
  const isSent = kind === "immediate" || (record?.sent_at ?? null) !== null;
  if (!isSent && (isCanceled || (dueAt !== null && dueAt > now))) return [0, 0];
  return [isSent ? recipients.filter((email) => !suppressed.includes(email)).length : 0, entries.length];
}

/** What remained before the first message of the sequence, by a response to a send. */
function startOf(world: World, request: ModelRequest, exchange: Exchange, now: number): Range {
  const remaining = Number(exchange.headers[remainingHeader]);
  const charges = world.messages
    .filter(({ account }) => account === accountOf(request.key))
    .map((message) => chargeOf(message, now));
  const sum = (side: 0 | 1): number => charges.reduce((total, charge) => total + charge[side], 0);
  // At zero, more may have been used than there was.
  return [remaining + sum(0), remaining === 0 ? Number.POSITIVE_INFINITY : remaining + sum(1)];
}

/** What an account's allowance is after a response to a send, and whether that agrees with the responses before. */
export function chargeAllowance(
  world: World,
  request: ModelRequest,
  exchange: Exchange,
  { now }: Context,
): { world: World; findings: ResponseFinding[] } {
  const account = accountOf(request.key);
  const total = Number(exchange.headers[totalHeader]);
  const found = startOf(world, request, exchange, now);
  const known: Allowance = world.allowances.get(account) ?? { total, start: found };
  const start: Range = [Math.max(known.start[0], found[0]), Math.min(known.start[1], found[1])];
  const remaining = Number(exchange.headers[remainingHeader]);
  const [least, most] = [known.start[0] - found[1] + remaining, known.start[1] - found[0] + remaining];
  return {
    world: { ...world, allowances: new Map(world.allowances).set(account, { total, start }) },
    findings: [
      equals(["HEAD-3"], "the monthly allowance", total, known.total),
      finding(
        ["HEAD-4", "LIMIT-5", "LIMIT-6"],
        "the remaining allowance, after the requests so far",
        start[0] <= start[1],
        {
          expected: `${[...new Set([least, most])].join(" to ")} remaining`,
          found: `${remaining} remaining`,
        },
      ),
    ],
  };
}

/** The world after the clock moved: messages of others may have become due, or another month may have begun. */
export function forgetAllowances(world: World, isNewMonth: boolean): World {
  if (isNewMonth) return { ...world, allowances: new Map() };
  const lowered = [...world.allowances].map(
    ([account, { total, start }]) =>
      [account, { total, start: [Number.NEGATIVE_INFINITY, start[1]] }] as const,
  );
  return { ...world, allowances: new Map(lowered) };
}
