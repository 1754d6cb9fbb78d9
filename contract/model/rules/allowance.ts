import { oncePer } from "../../../lib/objects.ts";
import { integerHeader } from "../../engine/rate-limiter.ts";
import type { Role } from "../../engine/settings.ts";
import type { Exchange } from "../../exchange.ts";
import { quotaFailure } from "../../support/rate-limit.ts";
import { equals, expects, type Outcome, provenIf } from "../judge.ts";
import {
  entriesIn,
  type Given,
  type Json,
  type Message,
  type ModelState,
  type Range,
  wasSent,
} from "../state.ts";

/** By message, because every send of an account is compared with those before. */
const addressesOf = oncePer((message: Json) => {
  const entries = ["to", "cc", "bcc"].flatMap((field) => entriesIn<unknown>(message[field])).map(String);
  return { entries, recipients: [...new Set(entries)] };
});

/** The entries of `to`, `cc` and `bcc`. */
export const entriesOf = (message: Json): readonly string[] => addressesOf(message).entries;

/** The recipients of a message, each once. */
export const recipientsOf = (message: Json): readonly string[] => addressesOf(message).recipients;

/** The email addresses that are not suppressed. */
export const without = (suppressed: readonly string[], emails: readonly string[]): readonly string[] =>
  suppressed.length === 0 ? emails : emails.filter((email) => !suppressed.includes(email));

/** Whether all recipients of a message are suppressed. */
export const isWithout = (suppressed: readonly string[], message: Json): boolean =>
  without(suppressed, recipientsOf(message)).length === 0;

export function messagesIn({ operation, body }: Pick<Given, "operation" | "body">): readonly Json[] {
  if (operation === "sendEmail") return [body];
  return operation === "sendBatch" ? entriesIn(body.emails) : [];
}

export const isSimulated = (email: string, { fixtures }: Pick<Given, "fixtures">): boolean =>
  email.endsWith(`@${fixtures.simulatorDomain}`);

/** The requirements that others who send with the account seem to violate. A failure names those that the messages so far are about. */
export const idsOfRemaining = ["HEAD-4", "LIMIT-5", "LIMIT-6", "SIM-6"];

/**
 * How many recipients of a message count toward the allowance by now. A scheduled message counts once it is sent, a batch is sent
 * within moments. Whether suppressed recipients count, and a recipient in two fields twice, is unspecified.
 */
function countOf(message: Message, now: number): Range {
  const { sent, suppressed, kind, dueAt, isCanceled, acceptedAt, record } = message;
  const isSent = kind === "immediate" || wasSent(record);
  if (!isSent && (isCanceled || (dueAt !== null && dueAt > now))) return [0, 0];
  // In which month a time in the past counts is unspecified.
  const isPast = dueAt !== null && dueAt < acceptedAt;
  const least = isSent && !isPast ? without(suppressed, recipientsOf(sent)).length : 0;
  return [least, entriesOf(sent).length];
}

type Allowances = Pick<ModelState, "messages" | "allowances">;

/**
 * The same without the messages that count the same from now on: what they use is subtracted from what remained before the
 * first message. A scheduled message or a batch may count later, one to a simulated recipient decides on requirements.
 */
export function settled({ messages, allowances }: Allowances, given: Pick<Given, "account" | "fixtures">) {
  const known = allowances.get(given.account);
  if (known === undefined) return { messages, allowances };
  let [least, most] = known.start;
  const open = messages.filter((message) => {
    const [count, other] = countOf(message, 0);
    const emails = entriesOf(message.sent);
    const isOpen =
      message.kind !== "immediate" || count !== other || emails.some((email) => isSimulated(email, given));
    if (!isOpen) [least, most] = [least - count, most - count];
    return isOpen;
  });
  return {
    messages: open,
    allowances: new Map(allowances).set(given.account, { ...known, start: [least, most] }),
  };
}

function rangeText(least: number, most: number): string {
  if (least === most) return `${least}`;
  if (Number.isFinite(least)) return Number.isFinite(most) ? `${least} to ${most}` : `at least ${least}`;
  return `at most ${most}`;
}

/** What an account's allowance is after a response to a send, and whether that agrees with the responses before. */
export function countTowardQuota(given: Given, exchange: Exchange): Outcome {
  const { state, account, isShared, now } = given;
  const isOwn = (message: { account: Role }): boolean => message.account === account;
  const own = state.messages.filter(isOwn);
  const counts = [
    ...own.map((message) => countOf(message, now)),
    // A message of earlier requests counts once it is due; whether it was counted before the sequence is not known.
    ...state.pending.filter(isOwn).map(({ dueAt, recipients }): Range => [0, dueAt > now ? 0 : recipients]),
  ];
  const counted = (side: 0 | 1): number => counts.reduce((sum, count) => sum + count[side], 0);
  const total = integerHeader(exchange, "quota");
  const remaining = integerHeader(exchange, "allowance");
  if (Number.isNaN(total + remaining)) return { state, findings: [] };
  // At zero, more may have been used than there was.
  const leastAtStart = remaining === 0 ? Number.NEGATIVE_INFINITY : remaining + counted(0);
  const found: Range = [leastAtStart, remaining + counted(1)];
  const before = state.allowances.get(account);
  const known = before ?? { total, first: remaining, start: found };
  const { first, start } = known;
  const agreed: Range = [Math.max(start[0], found[0]), Math.min(start[1], found[1])];
  const [least, most] = [first - start[1] + counted(0), first - start[0] + counted(1)];
  const scheduled = own.filter(({ kind }) => kind === "scheduled");
  const toSimulated = own.some(({ sent }) => entriesOf(sent).some((email) => isSimulated(email, given)));
  const values = { before: first, expected: rangeText(first - most, first - least), found: remaining };
  const since = "since the first send of the sequence";
  const { expected, found: shown } = quotaFailure(values, rangeText(least, most), since);
  const remains = expects(
    idsOfRemaining.filter((id) => (id === "LIMIT-6" ? scheduled.length > 0 : id !== "SIM-6" || toSimulated)),
    isShared || agreed[0] <= agreed[1],
    expected,
    shown,
  );
  const hasSent = scheduled.some((message) => countOf(message, now)[0] > 0);
  return {
    state: { ...state, allowances: new Map(state.allowances).set(account, { ...known, start: agreed }) },
    findings: [
      provenIf(before !== undefined, equals(["HEAD-3"], "the monthly allowance", total, known.total)),
      provenIf(before !== undefined && !isShared, provenIf(hasSent, remains, ["LIMIT-6"])),
    ],
  };
}
