import {
  isBatch,
  isCancel,
  isImmediate,
  isMessageLookup,
  isReschedule,
  isScheduled,
  isSend,
} from "../email.ts";
import type { Applies, Mutant, MutantRequest, MutantResponse, RequirementId } from "../mutant.ts";
import {
  emailOf,
  errorResponse,
  isSuccess,
  isUnsubscribe,
  isUpsert,
  type Json,
  listOf,
  objectOf,
} from "../newsletter.ts";
import { withHeaders } from "../requests.ts";
import { isReplay, withoutKey } from "../same-key.ts";
import { type Keyed, type Past, withPast } from "./history.ts";

const keyedRequests: [string, Applies][] = [
  ["a send", isImmediate],
  ["a scheduled send", isScheduled],
  ["a batch", isBatch],
  ["a contact", isUpsert],
];

/** Changes the replays of an operation; `known` includes the replay itself. */
const replaysOf = (
  requirement: RequirementId,
  title: string,
  applies: Applies,
  change: (response: MutantResponse, known: Keyed, past: Past) => MutantResponse | Promise<MutantResponse>,
): Mutant =>
  withPast(requirement, title, async (request, next, past) => {
    const response = await next(request);
    const known = past.history.keyedOf(request);
    return applies(request) && isReplay(response) && known ? change(response, known, past) : response;
  });

const ofSecondReplays: Mutant[] = keyedRequests.flatMap(([what, applies]) => [
  withPast("IDEM-1", `the key of ${what} is forgotten after one replay`, (request, next, { history }) =>
    next(applies(request) && (history.keyedOf(request)?.replays ?? 0) > 0 ? withoutKey(request) : request),
  ),
  replaysOf("IDEM-1", `the second replay of ${what} is a conflict`, applies, (response, { replays }) =>
    replays > 1 ? errorResponse(409, "idempotency_conflict") : response,
  ),
  replaysOf(
    "IDEM-7",
    `the second replay of ${what} has no Idempotent-Replayed`,
    applies,
    (response, { replays }) =>
      replays > 1 ? withHeaders(response, { "idempotent-replayed": undefined }) : response,
  ),
]);

const ofHeaders: Mutant[] = (
  [
    ["HEAD-3", "a send", "X-Service-Monthly-Quota", isSend],
    ["HEAD-4", "a batch", "X-Service-Monthly-Remaining", isBatch],
    ["HEAD-6", "a contact", "X-RateLimit-Limit", isUpsert],
    ["HEAD-7", "a batch", "X-RateLimit-Remaining", isBatch],
  ] as const
).map(([requirement, what, name, applies]) =>
  replaysOf(requirement, `the replay of ${what} has no ${name}`, applies, (response) =>
    withHeaders(response, { [name.toLowerCase()]: undefined }),
  ),
);

const withData = (response: MutantResponse, change: (entries: Json[]) => Json[]): MutantResponse => ({
  ...response,
  body: { ...objectOf(response.body), data: change(listOf(objectOf(response.body).data).map(objectOf)) },
});

const ofBodies: Mutant[] = [
  replaysOf("IDEM-1", "the replay of a batch is in reverse order", isBatch, (response) =>
    withData(response, (entries) => entries.toReversed()),
  ),
  replaysOf("IDEM-1", "the replay of a batch has only the first entry", isBatch, (response) =>
    withData(response, (entries) => entries.slice(0, 1)),
  ),
  replaysOf("IDEM-1", "the replay of a batch lists no suppressed recipients", isBatch, (response) =>
    withData(response, (entries) => entries.map((entry) => ({ ...entry, suppressed: [] }))),
  ),
  replaysOf("IDEM-1", "the replay of a send lists no suppressed recipients", isSend, (response) => ({
    ...response,
    body: { ...objectOf(response.body), suppressed: [] },
  })),
  replaysOf("IDEM-1", "the replay of a contact shows no tags", isUpsert, (response) => ({
    ...response,
    body: { ...objectOf(response.body), tags: [] },
  })),
  replaysOf("IDEM-1", "the replay of a contact shows no fields", isUpsert, (response) => ({
    ...response,
    body: { ...objectOf(response.body), fields: {} },
  })),
  replaysOf(
    "IDEM-1",
    "the replay of a scheduled send shows the time that the message was moved to",
    isScheduled,
    (response, _, { history }) => {
      const time = history.messages
        .get(String(objectOf(response.body).id))
        ?.times.slice(1)
        .at(-1);
      return time === undefined
        ? response
        : { ...response, body: { ...objectOf(response.body), scheduled_at: new Date(time).toISOString() } };
    },
  ),
  replaysOf(
    "IDEM-1",
    "the replay of a new contact has the status 200 once the contact was updated",
    isUpsert,
    (response, { request }, { history }) =>
      response.status === 201 && (history.memberOf(request)?.posts ?? 0) > 1
        ? { ...response, status: 200 }
        : response,
  ),
  replaysOf(
    "IDEM-1",
    "the replay of a contact shows that it unsubscribed since",
    isUpsert,
    (response, { request }, { history }) =>
      history.memberOf(request)?.left === true
        ? { ...response, body: { ...objectOf(response.body), status: "unsubscribed" } }
        : response,
  ),
];

/** Forgets the key of a message or contact when something else happens to it. */
const forgets = (
  title: string,
  applies: Applies,
  happens: (request: MutantRequest, response: MutantResponse) => boolean,
): Mutant =>
  withPast("IDEM-1", title, async (request, next, { history }) => {
    const known = history.keyedOf(request);
    const subject = applies(request) && known ? subjectOf(known.request, known.response) : undefined;
    const response = await next(
      subject !== undefined && history.marks.has(subject) ? withoutKey(request) : request,
    );
    if (happens(request, response))
      history.marks.add(isUnsubscribe(request) ? emailOf(request) : String(request.path.split("/").at(-1)));
    return response;
  });
const subjectOf = (request: MutantRequest, { body }: MutantResponse): string =>
  isUpsert(request) ? emailOf(request) : String(objectOf(body).id);

const ofForgotten: Mutant[] = [
  forgets(
    "the key of a scheduled send is forgotten when the message is canceled",
    isScheduled,
    (request, response) => isCancel(request) && isSuccess(response),
  ),
  forgets(
    "the key of a scheduled send is forgotten when the message is moved",
    isScheduled,
    (request, response) => isReschedule(request) && isSuccess(response),
  ),
  forgets(
    "the key of a scheduled send is forgotten once the message is sent",
    isScheduled,
    (request, { body }) => isMessageLookup(request) && typeof objectOf(body).sent_at === "string",
  ),
  forgets(
    "the key of a contact is forgotten when the contact unsubscribes",
    isUpsert,
    (request, response) => isUnsubscribe(request) && isSuccess(response),
  ),
];

const ofEffects: Mutant[] = keyedRequests.map(([what, applies]) =>
  withPast("IDEM-8", `the second replay of ${what} has effects`, async (request, next, { history }) => {
    const response = await next(request);
    const { replays = 0 } = history.keyedOf(request) ?? {};
    if (applies(request) && isReplay(response) && replays > 1) await next(withoutKey(request));
    return response;
  }),
);

/** Replays that are wrong only in some histories. */
export const replayMutants: Mutant[] = [
  ...ofSecondReplays,
  ...ofHeaders,
  ...ofBodies,
  ...ofForgotten,
  ...ofEffects,
];
