import { idOf, isBatch, isCancel, isReschedule, isScheduled, isSend, stateful, timeOf } from "./email.ts";
import type { Interceptor, Mutant, MutantRequest, MutantResponse, Next, RequirementId } from "./mutant.ts";
import { isSuccess, type Json, listOf, objectOf } from "./newsletter.ts";
import { messagesIn, withHeaders } from "./requests.ts";
import { isReplay, withoutKey } from "./same-key.ts";

const quota = "x-service-monthly-quota";
const allowance = "x-service-monthly-remaining";
const fields = ["to", "cc", "bcc"] as const;

const keyOf = ({ headers }: MutantRequest): string => headers.authorization ?? "";
const countIn = (message: Json, ...names: readonly string[]): number =>
  names.reduce((sum, name) => sum + listOf(message[name]).length, 0);

/** A change of the used quota, now or at a time. */
interface Use {
  recipients: number;
  /** In milliseconds since 1970. */
  at?: number;
  /** The message that it is about. */
  id?: string;
}

/** A server that uses more or less quota than it should. */
const uses = (
  requirement: RequirementId,
  title: string,
  usesOf: (request: MutantRequest, response: MutantResponse, known: readonly Use[], now: number) => Use[],
): Mutant =>
  stateful(requirement, title, ({ now }): Interceptor => {
    const accounts = new Map<string, Use[]>();
    return async (request, next) => {
      const response = await next(request);
      const known = accounts.get(keyOf(request)) ?? [];
      known.push(...usesOf(request, response, known, now()));
      accounts.set(keyOf(request), known);
      const sum = known
        .filter(({ at = 0 }) => at <= now())
        .reduce((all, { recipients }) => all + recipients, 0);
      const told = response.headers[allowance];
      return told === undefined
        ? response
        : withHeaders(response, { [allowance]: String(Number(told) - sum) });
    };
  });

const idIn = ({ body }: MutantResponse): string => String(objectOf(body).id);

/** A use for each message that a request sends now. */
const perMessage =
  (applies: (request: MutantRequest) => boolean, recipients: (message: Json) => number) =>
  (request: MutantRequest, response: MutantResponse): Use[] =>
    applies(request) && !isScheduled(request) && isSuccess(response) && !isReplay(response)
      ? messagesIn(request).map((message) => ({ recipients: recipients(message) }))
      : [];

/** A use when a scheduled message is due. */
const whenDue =
  (recipients: (message: Json) => number) =>
  (request: MutantRequest, response: MutantResponse): Use[] => {
    if (!isScheduled(request) || !isSuccess(response)) return [];
    const body = objectOf(request.body);
    return [{ recipients: recipients(body), at: timeOf(body.scheduled_at), id: idIn(response) }];
  };

const all = (message: Json): number => countIn(message, ...fields);
const surplus =
  (name: string) =>
  (message: Json): number =>
    Math.min(0, 1 - countIn(message, name));

const once = (response: MutantResponse): Use[] =>
  isSuccess(response) && !isReplay(response) ? [{ recipients: 1 }] : [];

const ofSends: Mutant[] = [
  ...fields.map((name) =>
    uses("LIMIT-5", `several recipients in ${name} count once`, perMessage(isSend, surplus(name))),
  ),
  ...fields.map((name) =>
    uses(
      "LIMIT-5",
      `several recipients in ${name} of a batch count once`,
      perMessage(isBatch, surplus(name)),
    ),
  ),
  uses(
    "LIMIT-5",
    "copies in a batch do not count",
    perMessage(isBatch, (one) => -countIn(one, "cc", "bcc")),
  ),
  uses(
    "LIMIT-5",
    "a send from a template does not count",
    perMessage(isSend, (message) => (message.template_id === undefined ? 0 : -all(message))),
  ),
  uses(
    "LIMIT-5",
    "batches do not count",
    perMessage(isBatch, (message) => -all(message)),
  ),
  uses(
    "LIMIT-5",
    "a batch counts once per message",
    perMessage(isBatch, (message) => 1 - all(message)),
  ),
  uses("LIMIT-5", "a batch counts once", (request, response) =>
    isBatch(request)
      ? [...perMessage(isBatch, (message) => -all(message))(request, response), ...once(response)]
      : [],
  ),
  uses("LIMIT-5", "a batch counts when it is accepted and when it is sent", perMessage(isBatch, all)),
  uses("LIMIT-5", "a rejected send counts", (request, { status }) =>
    isSend(request) && status >= 400 ? [{ recipients: 1 }] : [],
  ),
  ...(["complaint", "bounce"] as const).map((local) =>
    uses(
      "SIM-6",
      `the simulated recipient ${local} does not count`,
      perMessage(
        () => true,
        (message) =>
          -fields.flatMap((name) => listOf(message[name])).filter((to) => String(to).startsWith(`${local}@`))
            .length,
      ),
    ),
  ),
];

const ofScheduled: Mutant[] = [
  uses("LIMIT-6", "rescheduling counts toward the quota", (request, response) =>
    isReschedule(request) && isSuccess(response) ? [{ recipients: 1 }] : [],
  ),
  uses("LIMIT-6", "canceling counts toward the quota", (request, response) =>
    isCancel(request) && isSuccess(response) ? [{ recipients: 1 }] : [],
  ),
  uses("LIMIT-6", "canceling gives back quota that was not used", (request, response) =>
    isCancel(request) && isSuccess(response) ? [{ recipients: -1 }] : [],
  ),
  uses(
    "LIMIT-6",
    "a scheduled message counts from when it is submitted until it is canceled",
    (request, response, known) => {
      if (isScheduled(request) && isSuccess(response))
        return [{ recipients: all(objectOf(request.body)), id: idIn(response) }];
      const of = known.find(({ id }) => id === idOf(request));
      return isCancel(request) && isSuccess(response) && of ? [{ recipients: -of.recipients }] : [];
    },
  ),
  uses(
    "LIMIT-6",
    "copies of a scheduled message do not count",
    whenDue((message) => -countIn(message, "cc", "bcc")),
  ),
  uses("LIMIT-6", "a canceled message counts when it is due", (request, response, known) => {
    const made = whenDue(() => 0)(request, response);
    const of = known.find(({ id }) => id === idOf(request));
    return isCancel(request) && isSuccess(response) && of?.at !== undefined
      ? [{ recipients: 1, at: of.at }]
      : made;
  }),
  uses("LIMIT-6", "a rescheduled message counts at its old and its new time", (request, response, known) => {
    const made = whenDue(() => 0)(request, response);
    const of = known.find(({ id }) => id === idOf(request));
    return isReschedule(request) && isSuccess(response) && of?.at !== undefined
      ? [{ recipients: 1, at: of.at }]
      : made;
  }),
  uses("LIMIT-6", "the replay of a scheduled send counts when it is due", (request, response) =>
    isReplay(response) ? whenDue(all)(request, response) : [],
  ),
];

/** Changes what responses report. */
const reports = (
  requirement: RequirementId,
  title: string,
  change: (headers: Record<string, string>, request: MutantRequest) => Record<string, string>,
): Mutant => ({
  requirement,
  title,
  intercept: () => async (request, next) => {
    const response = await next(request);
    return response.headers[quota] === undefined
      ? response
      : withHeaders(response, change(response.headers, request));
  },
});

const ofHeaders: Mutant[] = [
  reports("HEAD-3", "the monthly quota is what remains of it", (headers) => ({
    [quota]: String(headers[allowance]),
  })),
  reports("HEAD-3", "the monthly quota of a batch is lower by its messages", (headers, request) =>
    isBatch(request) ? { [quota]: String(Number(headers[quota]) - messagesIn(request).length) } : {},
  ),
  reports("HEAD-3", "a scheduled send reports another monthly quota", (headers, request) =>
    isScheduled(request) ? { [quota]: String(Number(headers[quota]) + 1) } : {},
  ),
  stateful("HEAD-3", "the monthly quota decreases with each send", () => {
    const sends = new Map<string, number>();
    return async (request, next) => {
      const response = await next(request);
      const told = response.headers[quota];
      if (told === undefined) return response;
      const count = (sends.get(keyOf(request)) ?? 0) + 1;
      sends.set(keyOf(request), count);
      return withHeaders(response, { [quota]: String(Number(told) - count) });
    };
  }),
  uses("HEAD-4", "the remaining quota does not start again in a new month", (request, response, _, now) => {
    const next = new Date(now);
    const at = Date.UTC(next.getUTCFullYear(), next.getUTCMonth() + 1);
    return perMessage(() => true, all)(request, response).map((use) => ({ ...use, at }));
  }),
  reports("HEAD-4", "a batch reports the whole quota as remaining", (headers, request) =>
    isBatch(request) ? { [allowance]: String(headers[quota]) } : {},
  ),
  reports("HEAD-4", "a scheduled send reports the whole quota as remaining", (headers, request) =>
    isScheduled(request) ? { [allowance]: String(headers[quota]) } : {},
  ),
];

/** Rejects a conflict, but sends its messages. */
const sentConflict = (what: string, applies: (request: MutantRequest) => boolean): Mutant =>
  stateful("IDEM-2", `another body of ${what} is a conflict, but sent`, () => async (request, next: Next) => {
    const response = await next(request);
    if (applies(request) && response.status === 409) await next(withoutKey(request));
    return response;
  });

/** Servers that count wrong. */
export const quotaMutants: Mutant[] = [
  ...ofSends,
  ...ofScheduled,
  ...ofHeaders,
  sentConflict("a send", isSend),
  sentConflict("a batch", isBatch),
];
