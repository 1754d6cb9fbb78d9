import { isBatch, isReschedule, recipientFields } from "../email.ts";
import { type History, type Past, withPast } from "../history.ts";
import type { Mutant, MutantRequest, MutantResponse, RequirementId } from "../mutant.ts";
import { isSuccess, type Json, listOf } from "../newsletter.ts";
import { withHeaders } from "../requests.ts";

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

const recipientsOf = (message: Json): number =>
  recipientFields.reduce((sum, name) => sum + listOf(message[name]).length, 0);

const ofBatches: Mutant[] = [
  uses("LIMIT-5", "a rejected batch counts", (request, { status }) =>
    isBatch(request) && status === 422 ? [{ recipients: 1 }] : [],
  ),
  uses("LIMIT-5", "a conflict of a batch counts", (request, { status }) =>
    isBatch(request) && status === 409 && "idempotency-key" in request.headers ? [{ recipients: 1 }] : [],
  ),
];

/** A use when a message that was moved is due. */
const whenMoved =
  (change: (recipients: number, times: number[], time: number) => Use[]) =>
  (request: MutantRequest, response: MutantResponse, { history }: Past): Use[] => {
    const message = history.messageOf(request);
    if (!isReschedule(request) || !isSuccess(response) || message === undefined) return [];
    return change(recipientsOf(message.sent), message.times, message.times.at(-1) ?? 0);
  };

const ofScheduled: Mutant[] = [
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
];

/** Recipients that count wrong only on some paths. */
export const quotaPathMutants: Mutant[] = [...ofBatches, ...ofScheduled];
