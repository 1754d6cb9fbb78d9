import { isBatch, isImmediate, isReschedule, isScheduled, isSend, messagesIn } from "./email.ts";
import { type Keyed, type Past, withPast } from "./history.ts";
import type { Applies, Mutant, MutantRequest, MutantResponse, RequirementId } from "./mutant.ts";
import { emailOf, isSuccess, isUnsubscribe, isUpsert, type Json, objectOf, without } from "./newsletter.ts";
import { withHeaders } from "./requests.ts";
import { isReplay, withoutKey } from "./same-key.ts";

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

export const ofSecondReplays: Mutant[] = [
  withPast("IDEM-1", "the key of a contact is forgotten after one replay", (request, next, { history }) =>
    next(isUpsert(request) && (history.keyedOf(request)?.replays ?? 0) > 0 ? withoutKey(request) : request),
  ),
  ...(
    [
      ["a send", isImmediate],
      ["a contact", isUpsert],
    ] as const
  ).map(([what, applies]) =>
    replaysOf(
      "IDEM-7",
      `the second replay of ${what} has no Idempotent-Replayed`,
      applies,
      (response, { replays }) =>
        replays > 1 ? withHeaders(response, { "idempotent-replayed": undefined }) : response,
    ),
  ),
];

export const ofHeaders: Mutant[] = (
  [
    ["HEAD-6", "a contact", "X-RateLimit-Limit", isUpsert],
    ["HEAD-7", "a batch", "X-RateLimit-Remaining", isBatch],
  ] as const
).map(([requirement, what, name, applies]) =>
  replaysOf(requirement, `the replay of ${what} has no ${name}`, applies, (response) =>
    withHeaders(response, { [name.toLowerCase()]: undefined }),
  ),
);

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

export const ofForgotten: Mutant[] = [
  forgets(
    "the key of a scheduled send is forgotten when the message is moved",
    isScheduled,
    (request, response) => isReschedule(request) && isSuccess(response),
  ),
  forgets(
    "the key of a contact is forgotten when the contact unsubscribes",
    isUpsert,
    (request, response) => isUnsubscribe(request) && isSuccess(response),
  ),
];

export const ofHistories: Mutant[] = [
  withPast(
    "IDEM-2",
    "another body of a contact is a new request after a replay",
    async (request, next, { history }) => {
      const { replays = 0 } = history.keyedOf(request) ?? {};
      const response = await next(request);
      return isUpsert(request) && response.status === 409 && replays > 0
        ? next(withoutKey(request))
        : response;
    },
  ),
];

/** Does not compare a part of the body: a difference only there is a replay. */
const ignores = (title: string, applies: Applies, rest: (body: Json) => unknown): Mutant =>
  withPast("IDEM-2", `${title} not compared`, (request, next, { history }) => {
    const { request: first } = history.keyedOf(request) ?? {};
    const isSame =
      first !== undefined &&
      JSON.stringify(rest(objectOf(first.body))) === JSON.stringify(rest(objectOf(request.body)));
    return next(applies(request) && isSame ? { ...request, body: first.body } : request);
  });

export const ofParts: Mutant[] = [
  ignores("text of a send is", isSend, (body) => without(body, "text")),
  ignores("subject of the messages of a batch is", isBatch, (body) =>
    messagesIn(body).map((message) => without(message, "subject")),
  ),
  ignores("first_name of a contact is", isUpsert, (body) => without(body, "first_name")),
];
