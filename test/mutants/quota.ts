import { isBatch, isReschedule, isScheduled, isSend, stateful, timeOf } from "./email.ts";
import {
  type Mutant,
  type MutantRequest,
  type MutantResponse,
  type Next,
  type RequirementId,
  remembers,
} from "./mutant.ts";
import { isSuccess, type Json, listOf, objectOf } from "./newsletter.ts";
import { sentMessages, withHeaders } from "./requests.ts";
import { isReplay, withoutKey } from "./same-key.ts";

const allowance = "x-service-monthly-remaining";

const keyOf = ({ headers }: MutantRequest): string => headers.authorization ?? "";

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
  remembers(requirement, title, ({ now }) => {
    const accounts = new Map<string, Use[]>();
    return (response, request) => {
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
      ? sentMessages(request).map((message) => ({ recipients: recipients(message) }))
      : [];

/** A use when a scheduled message is due. */
const whenDue =
  (recipients: (message: Json) => number) =>
  (request: MutantRequest, response: MutantResponse): Use[] => {
    if (!isScheduled(request) || !isSuccess(response)) return [];
    const body = objectOf(request.body);
    return [{ recipients: recipients(body), at: timeOf(body.scheduled_at), id: idIn(response) }];
  };

const all = (message: Json): number => listOf(message.to).length;
const surplus = (message: Json): number => Math.min(0, 1 - listOf(message.to).length);

export const ofSends: Mutant[] = [
  uses("LIMIT-5", "several recipients in to count once", perMessage(isSend, surplus)),
  uses("LIMIT-5", "several recipients in to of a batch count once", perMessage(isBatch, surplus)),
  uses(
    "LIMIT-5",
    "a send from a template does not count",
    perMessage(isSend, (message) => (message.template_id === undefined ? 0 : -all(message))),
  ),
  uses(
    "SIM-6",
    "the simulated recipient complaint does not count",
    perMessage(
      () => true,
      ({ to }) => -listOf(to).filter((one) => String(one).startsWith("complaint@")).length,
    ),
  ),
];

export const ofScheduled: Mutant[] = [
  uses("LIMIT-6", "rescheduling counts toward the quota", (request, response) =>
    isReschedule(request) && isSuccess(response) ? [{ recipients: 1 }] : [],
  ),
  uses("LIMIT-6", "the replay of a scheduled send counts when it is due", (request, response) =>
    isReplay(response) ? whenDue(all)(request, response) : [],
  ),
];

export const ofRejected: Mutant[] = [
  uses("LIMIT-5", "a conflict of a batch counts", (request, { status }) =>
    isBatch(request) && status === 409 && "idempotency-key" in request.headers ? [{ recipients: 1 }] : [],
  ),
];

export const ofHeaders: Mutant[] = [
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
export const quotaMutants: Mutant[] = [sentConflict("a send", isSend)];
