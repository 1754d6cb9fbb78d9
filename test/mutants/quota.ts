import { isBatch, isReschedule, isScheduled, isSend, stateful, timeOf } from "./email.ts";
import type { Interceptor, Mutant, MutantRequest, MutantResponse, Next, RequirementId } from "./mutant.ts";
import { isSuccess, type Json, listOf, objectOf } from "./newsletter.ts";
import { messagesIn, withHeaders } from "./requests.ts";
import { isReplay, withoutKey } from "./same-key.ts";

const allowance = "x-service-monthly-remaining";
const fields = ["to"] as const;

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
    "a send from a template does not count",
    perMessage(isSend, (message) => (message.template_id === undefined ? 0 : -all(message))),
  ),
  ...(["complaint"] as const).map((local) =>
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
  uses("LIMIT-6", "the replay of a scheduled send counts when it is due", (request, response) =>
    isReplay(response) ? whenDue(all)(request, response) : [],
  ),
];

const ofHeaders: Mutant[] = [
  uses("HEAD-4", "the remaining quota does not start again in a new month", (request, response, _, now) => {
    const next = new Date(now);
    const at = Date.UTC(next.getUTCFullYear(), next.getUTCMonth() + 1);
    return perMessage(() => true, all)(request, response).map((use) => ({ ...use, at }));
  }),
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
];
