import { isBatch, isScheduled, isSend, messagesIn } from "../email.ts";
import type { Applies, Mutant } from "../mutant.ts";
import { errorResponse, isUpsert, type Json, objectOf, without } from "../newsletter.ts";
import { isReplay, keyedRequests, withoutKey } from "../same-key.ts";
import { type Keyed, withPast } from "./history.ts";

/** Sends another body with the same key as a new request in some histories. */
const forgets = (title: string, applies: Applies, when: (known: Keyed) => boolean): Mutant =>
  withPast("IDEM-2", title, async (request, next, { history }) => {
    const known = history.keyedOf(request);
    const isOpen = known !== undefined && when(known);
    const response = await next(request);
    return applies(request) && response.status === 409 && isOpen ? next(withoutKey(request)) : response;
  });

const ofHistories: Mutant[] = keyedRequests.flatMap(([what, applies]) => [
  forgets(`a second different body of ${what} is a new request`, applies, ({ conflicts }) => conflicts > 0),
  forgets(`another body of ${what} is a new request after a replay`, applies, ({ replays }) => replays > 0),
  withPast(
    "IDEM-1",
    `after a conflict, the original body of ${what} is a conflict too`,
    async (request, next, { history }) => {
      const response = await next(request);
      const { conflicts = 0 } = history.keyedOf(request) ?? {};
      return applies(request) && isReplay(response) && conflicts > 0
        ? errorResponse(409, "idempotency_conflict")
        : response;
    },
  ),
  withPast(
    "IDEM-1",
    `after a conflict, the original body of ${what} is a new request`,
    (request, next, { history }) => {
      const { conflicts = 0, request: first } = history.keyedOf(request) ?? {};
      const isSame = JSON.stringify(first?.body) === JSON.stringify(request.body);
      return next(applies(request) && conflicts > 0 && isSame ? withoutKey(request) : request);
    },
  ),
]);

/** Does not compare a part of the body: a difference only there is a replay. */
const ignores = (title: string, applies: Applies, rest: (body: Json) => unknown): Mutant =>
  withPast("IDEM-2", `${title} not compared`, (request, next, { history }) => {
    const { request: first } = history.keyedOf(request) ?? {};
    const isSame =
      first !== undefined &&
      JSON.stringify(rest(objectOf(first.body))) === JSON.stringify(rest(objectOf(request.body)));
    return next(applies(request) && isSame ? { ...request, body: first.body } : request);
  });

const inMessages =
  (change: (message: Json, index: number, all: Json[]) => Json) =>
  (body: Json): unknown =>
    messagesIn(body).map((message, index, all) => change(objectOf(message), index, all));

const ofParts: Mutant[] = [
  ...["cc", "bcc", "text", "html", "headers", "attachments", "reply_to"].map((name) =>
    ignores(`${name} of a send is`, isSend, (body) => without(body, name)),
  ),
  ignores("the time of a scheduled send is", isScheduled, (body) => without(body, "scheduled_at")),
  ...["to", "subject", "tags", "cc"].map((name) =>
    ignores(
      `${name} of the messages of a batch is`,
      isBatch,
      inMessages((message) => without(message, name)),
    ),
  ),
  ignores(
    "the last message of a batch is",
    isBatch,
    inMessages((message, index, all) => (index > 0 && index === all.length - 1 ? {} : message)),
  ),
  ignores("the order of the messages of a batch is", isBatch, (body) =>
    messagesIn(body)
      .map((one) => JSON.stringify(one))
      .toSorted(),
  ),
  ...["first_name", "last_name", "fields", "tags"].map((name) =>
    ignores(`${name} of a contact is`, isUpsert, (body) => without(body, name)),
  ),
  ignores("the list of a contact is", isUpsert, (body) => without(body, "list_id")),
];

/** Idempotency keys that are compared wrong only in some histories or parts. */
export const conflictMutants: Mutant[] = [...ofHistories, ...ofParts];
