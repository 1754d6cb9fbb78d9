import { document, headerName } from "../../document.ts";
import type { Role } from "../../engine/settings.ts";
import type { Exchange } from "../../exchange.ts";
import { equals, expects, type Outcome, provenIf } from "../allowed.ts";
import type { Given, Message } from "../world.ts";
import { entriesOf, recipientsOf, without } from "./recipients.ts";

const totalHeader = headerName(document, "MonthlyQuota").toLowerCase();
const remainingHeader = headerName(document, "MonthlyRemaining").toLowerCase();

/** The requirements that others who send with the account seem to violate. A failure names those that the messages so far are about. */
export const idsOfRemaining = ["HEAD-4", "LIMIT-5", "LIMIT-6", "SIM-6"];

/** The least and the most. */
type Range = readonly [number, number];

/**
 * How many recipients of a message count toward the allowance by now. A scheduled message counts once it is sent, a batch is sent
 * within moments. Whether suppressed recipients count, and a recipient in two fields twice, is unspecified.
 */
function chargeOf(message: Message, now: number): Range {
  const { sent, suppressed, kind, dueAt, isCanceled, acceptedAt, record } = message;
  const isSent = kind === "immediate" || (record?.sent_at ?? null) !== null;
  if (!isSent && (isCanceled || (dueAt !== null && dueAt > now))) return [0, 0];
  // In which month a time in the past counts is unspecified.
  const isPast = dueAt !== null && dueAt < acceptedAt;
  const least = isSent && !isPast ? without(suppressed, recipientsOf(sent)).length : 0;
  return [least, entriesOf(sent).length];
}

/** What remained before the first message of the sequence, if this much remains now. */
function startOf({ world, account, now }: Given, remaining: number): Range {
  const isOwn = (message: { account: Role }): boolean => message.account === account;
  const charges = [
    ...world.messages.filter(isOwn).map((message) => chargeOf(message, now)),
    // A message of earlier requests counts once it is due; whether it was counted before the sequence is not known.
    ...world.pending.filter(isOwn).map(({ dueAt, recipients }): Range => [0, dueAt > now ? 0 : recipients]),
  ];
  const sum = (side: 0 | 1): number => charges.reduce((total, charge) => total + charge[side], remaining);
  // At zero, more may have been used than there was.
  return [sum(0), remaining === 0 ? Number.POSITIVE_INFINITY : sum(1)];
}

/** What an account's allowance is after a response to a send, and whether that agrees with the responses before. */
export function chargeAllowance(given: Given, { headers }: Exchange): Outcome {
  const { world, account, isShared, fixtures, now } = given;
  const total = Number(headers[totalHeader]);
  const remaining = Number(headers[remainingHeader]);
  const found = startOf(given, remaining);
  const before = world.allowances.get(account);
  const known = before ?? { total, first: remaining, start: found };
  const start: Range = [Math.max(known.start[0], found[0]), Math.min(known.start[1], found[1])];
  const used = known.first - remaining;
  const [least, most] = [used - known.start[1] + found[0], used - known.start[0] + found[1]];
  const range = least === most ? `${least}` : `${least} to ${most}`;
  const expected = `${range} fewer remaining than after the first send of the sequence`;
  const change = used < 0 ? `${-used} more` : `${used} fewer`;
  const own = world.messages.filter((message) => message.account === account);
  const scheduled = own.filter(({ kind }) => kind === "scheduled");
  const hasSent = scheduled.some((message) => chargeOf(message, now)[0] > 0);
  const isSimulated = own.some(({ sent }) =>
    entriesOf(sent).some((email) => email.endsWith(`@${fixtures.simulatorDomain}`)),
  );
  const ids = idsOfRemaining.filter(
    (id) => (id !== "LIMIT-6" || scheduled.length > 0) && (id !== "SIM-6" || isSimulated),
  );
  const remains = expects(ids, isShared || start[0] <= start[1], expected, change);
  return {
    world: { ...world, allowances: new Map(world.allowances).set(account, { ...known, start }) },
    findings: [
      provenIf(before !== undefined, equals(["HEAD-3"], "the monthly allowance", total, known.total)),
      provenIf(before !== undefined && !isShared, provenIf(hasSent, remains, ["LIMIT-6"])),
    ],
  };
}
