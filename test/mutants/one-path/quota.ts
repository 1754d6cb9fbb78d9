import {
  isBatch,
  isImmediate,
  isReschedule,
  isScheduled,
  isSend,
  messagesIn,
  recipientFields,
  timeOf,
} from "../email.ts";
import type { Applies, Mutant, MutantRequest, MutantResponse, RequirementId } from "../mutant.ts";
import { isSuccess, type Json, listOf, objectOf } from "../newsletter.ts";
import { withHeaders } from "../requests.ts";
import { isReplay } from "../same-key.ts";
import { authorizationOf, type History, type Past, withPast } from "./history.ts";

const allowance = "x-service-monthly-remaining";

/** A change of the used quota, now or at a time in milliseconds since 1970. */
interface Use {
  recipients: number;
  at?: number;
}

/** A server that uses more or less of an account's quota than it should. */
const uses = (
  requirement: RequirementId,
  title: string,
  usesOf: (request: MutantRequest, response: MutantResponse, past: Past) => Use[],
): Mutant => {
  const known = new WeakMap<History, Map<string, Use[]>>();
  return withPast(requirement, title, async (request, next, past) => {
    const { history, context } = past;
    const accounts = known.get(history) ?? new Map<string, Use[]>();
    known.set(history, accounts);
    const response = await next(request);
    const all = accounts.get(history.accountOf(request)) ?? [];
    accounts.set(history.accountOf(request), [...all, ...usesOf(request, response, past)]);
    const told = response.headers[allowance];
    if (told === undefined) return response;
    const sum = (accounts.get(history.accountOf(request)) ?? [])
      .filter(({ at = 0 }) => at <= context.now())
      .reduce((before, { recipients }) => before + recipients, 0);
    return withHeaders(response, { [allowance]: String(Number(told) - sum) });
  });
};

const count = (message: Json, ...names: readonly string[]): number =>
  names.reduce((sum, name) => sum + listOf(message[name]).length, 0);
const all = (message: Json): number => count(message, ...recipientFields);

const isNew = (request: MutantRequest, response: MutantResponse): boolean =>
  (isSend(request) || isBatch(request)) && isSuccess(response) && !isReplay(response);

/** A use for each accepted message: when it is sent. */
const each =
  (applies: Applies, recipients: (message: Json, index: number, count: number) => number) =>
  (request: MutantRequest, response: MutantResponse): Use[] => {
    if (!applies(request) || !isNew(request, response)) return [];
    const messages = isBatch(request) ? messagesIn(request.body) : [objectOf(request.body)];
    const at = isScheduled(request) ? { at: timeOf(objectOf(request.body).scheduled_at) } : {};
    return messages.map((message, index) => ({
      recipients: recipients(message, index, messages.length),
      ...at,
    }));
  };

const ofBatches: Mutant[] = [
  uses(
    "LIMIT-5",
    "bcc in a batch does not count",
    each(isBatch, (one) => -count(one, "bcc")),
  ),
  uses(
    "LIMIT-5",
    "cc in a batch does not count",
    each(isBatch, (one) => -count(one, "cc")),
  ),
  uses(
    "LIMIT-5",
    "copies in a batch count twice",
    each(isBatch, (one) => count(one, "cc", "bcc")),
  ),
  uses(
    "LIMIT-5",
    "copies after the first message of a batch do not count",
    each(isBatch, (one, index) => (index > 0 ? -count(one, "cc", "bcc") : 0)),
  ),
  uses(
    "LIMIT-5",
    "the third message of a batch does not count",
    each(isBatch, (one, index) => (index === 2 ? -all(one) : 0)),
  ),
  uses(
    "LIMIT-5",
    "the last of several messages of a batch counts twice",
    each(isBatch, (one, index, size) => (size > 1 && index === size - 1 ? all(one) : 0)),
  ),
  uses("LIMIT-5", "a rejected batch counts", (request, { status }) =>
    isBatch(request) && status === 422 ? [{ recipients: 1 }] : [],
  ),
];

const ofSends: Mutant[] = [
  uses(
    "LIMIT-5",
    "a message with an attachment counts twice",
    each(isImmediate, (one) => (listOf(one.attachments).length > 0 ? all(one) : 0)),
  ),
  uses(
    "LIMIT-5",
    "a message from a template does not count",
    each(isImmediate, (one) => ("template_id" in one ? -all(one) : 0)),
  ),
  uses(
    "LIMIT-5",
    "more than ten recipients in a property count as ten",
    each(isImmediate, (one) =>
      recipientFields.reduce((sum, name) => sum - Math.max(count(one, name) - 10, 0), 0),
    ),
  ),
  uses(
    "LIMIT-5",
    "copies do not count if there are both cc and bcc",
    each(isImmediate, (one) =>
      count(one, "cc") > 0 && count(one, "bcc") > 0 ? -count(one, "cc", "bcc") : 0,
    ),
  ),
  uses("LIMIT-5", "sends with another key of the account do not count", (request, response, { context }) =>
    authorizationOf(request) === context.bearer("second")
      ? each(isImmediate, (one) => -all(one))(request, response)
      : [],
  ),
  uses(
    "SIM-6",
    "simulated recipients in cc and bcc do not count",
    each(
      isImmediate,
      (one) =>
        -[...listOf(one.cc), ...listOf(one.bcc)].filter((address) => /@simulator\./.test(String(address)))
          .length,
    ),
  ),
];

const ofReplays: Mutant[] = (
  [
    ["a send", isImmediate],
    ["a batch", isBatch],
  ] as const
).flatMap(([what, applies]) => [
  uses("IDEM-8", `the replay of ${what} counts`, (request, response) =>
    applies(request) && isReplay(response) ? [{ recipients: 1 }] : [],
  ),
  uses("LIMIT-5", `a conflict of ${what} counts`, (request, { status }) =>
    applies(request) && status === 409 && "idempotency-key" in request.headers ? [{ recipients: 1 }] : [],
  ),
]);

/** A use when a message that was moved is due. */
const whenMoved =
  (change: (recipients: number, times: number[], time: number) => Use[]) =>
  (request: MutantRequest, response: MutantResponse, { history }: Past): Use[] => {
    const message = history.messageOf(request);
    if (!isReschedule(request) || !isSuccess(response) || message === undefined) return [];
    return change(all(message.sent), message.times, message.times.at(-1) ?? 0);
  };

const ofScheduled: Mutant[] = [
  uses(
    "LIMIT-6",
    "bcc of a scheduled message does not count",
    each(isScheduled, (one) => -count(one, "bcc")),
  ),
  uses(
    "LIMIT-6",
    "cc of a scheduled message counts twice",
    each(isScheduled, (one) => count(one, "cc")),
  ),
  uses(
    "LIMIT-6",
    "several recipients in to of a scheduled message count once",
    each(isScheduled, (one) => 1 - count(one, "to")),
  ),
  uses(
    "LIMIT-6",
    "a message that is moved twice counts twice",
    whenMoved((recipients, times, at) => (times.length === 3 ? [{ recipients, at }] : [])),
  ),
  uses(
    "LIMIT-6",
    "a message that is moved to an earlier time counts at its first time",
    whenMoved((recipients, [first = 0, ...later], at) =>
      later.length === 1 && at < first
        ? [
            { recipients: -recipients, at },
            { recipients, at: first },
          ]
        : [],
    ),
  ),
  uses(
    "LIMIT-6",
    "a message that is moved to a later time counts at its first time",
    whenMoved((recipients, [first = 0, ...later], at) =>
      later.length === 1 && at > first
        ? [
            { recipients, at: first },
            { recipients: -recipients, at },
          ]
        : [],
    ),
  ),
];

/** Recipients that count wrong only on some paths. */
export const quotaPathMutants: Mutant[] = [...ofBatches, ...ofSends, ...ofReplays, ...ofScheduled];
