import { document, headerName } from "../../document.ts";
import type { PendingMessage } from "../../engine/pending-messages.ts";
import { accountOf, type Role } from "../../engine/settings.ts";
import type { Exchange } from "../../exchange.ts";
import { type Effect, equals, expects } from "../allowed.ts";
import type { Allowance, Context, Message, ModelRequest, World } from "../world.ts";
import { recipientFields, recipientsOf } from "./recipients.ts";

const totalHeader = headerName(document, "MonthlyQuota").toLowerCase();
const remainingHeader = headerName(document, "MonthlyRemaining").toLowerCase();

/** The requirements that others who send with the account seem to violate. */
export const idsOfRemaining = ["HEAD-4", "LIMIT-5", "LIMIT-6", "SIM-6"];

/** The least and the most. */
type Range = readonly [number, number];

/**
 * How many recipients of a message count toward the allowance by now. A scheduled message counts once it is sent, a batch is sent
 * within moments. Whether suppressed recipients count, and a recipient in two fields twice, is unspecified.
 */
function chargeOf(
  { sent, suppressed, kind, dueAt, isCanceled, acceptedAt, record }: Message,
  now: number,
): Range {
  const entries = recipientFields.flatMap((field) => (sent[field] ?? []) as string[]);
  const recipients = recipientsOf(sent);
  const isSent = kind === "immediate" || (record?.sent_at ?? null) !== null;
  if (!isSent && (isCanceled || (dueAt !== null && dueAt > now))) return [0, 0];
  // In which month a time in the past counts is unspecified.
  const isPast = dueAt !== null && dueAt < acceptedAt;
  const least = isSent && !isPast ? recipients.filter((email) => !suppressed.includes(email)).length : 0;
  return [least, entries.length];
}

/** A message of earlier requests counts once it is due; whether it was counted before the sequence is not known. */
function chargeOfPending({ recipients, dueAt }: PendingMessage, now: number): Range {
  return [0, dueAt > now ? 0 : recipients];
}

/** What remained before the first message of the sequence, by a response to a send. */
function startOf(world: World, request: ModelRequest, exchange: Exchange, now: number): Range {
  const remaining = Number(exchange.headers[remainingHeader]);
  const isOwn = ({ account }: { account: Role }): boolean => account === accountOf(request.key);
  const charges = [
    ...world.messages.filter(isOwn).map((message) => chargeOf(message, now)),
    ...world.pending.filter(isOwn).map((message) => chargeOfPending(message, now)),
  ];
  const sum = (side: 0 | 1): number => charges.reduce((total, charge) => total + charge[side], 0);
  // At zero, more may have been used than there was.
  return [remaining + sum(0), remaining === 0 ? Number.POSITIVE_INFINITY : remaining + sum(1)];
}

/** What an account's allowance is after a response to a send, and whether that agrees with the responses before. */
export function chargeAllowance(
  world: World,
  request: ModelRequest,
  exchange: Exchange,
  { now, isShared }: Context,
): Effect {
  const account = accountOf(request.key);
  const total = Number(exchange.headers[totalHeader]);
  const found = startOf(world, request, exchange, now);
  const remaining = Number(exchange.headers[remainingHeader]);
  const known: Allowance = world.allowances.get(account) ?? { total, first: remaining, start: found };
  const start: Range = [Math.max(known.start[0], found[0]), Math.min(known.start[1], found[1])];
  const used = known.first - remaining;
  const expected = rangeText([used - known.start[1] + found[0], used - known.start[0] + found[1]]);
  const change = used < 0 ? `${-used} more` : `${used} fewer`;
  return {
    world: { ...world, allowances: new Map(world.allowances).set(account, { ...known, start }) },
    findings: [
      equals(["HEAD-3"], "the monthly allowance", total, known.total),
      expects(idsOfRemaining, isShared || start[0] <= start[1], expected, change),
    ],
  };
}

/** How many fewer remain. */
function rangeText([least, most]: Range): string {
  const range = most === Number.POSITIVE_INFINITY ? `at least ${least}` : `${least} to ${most}`;
  return `${least === most ? least : range} fewer remaining than after the first send of the sequence`;
}

/** The world after the clock moved: another month may have begun. */
export const forgetAllowances = (world: World, isNewMonth: boolean): World =>
  isNewMonth ? { ...world, allowances: new Map() } : world;
