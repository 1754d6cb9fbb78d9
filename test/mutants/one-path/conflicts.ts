import { isBatch, isSend, messagesIn } from "../email.ts";
import { type Keyed, withPast } from "../history.ts";
import type { Applies, Mutant } from "../mutant.ts";
import { isUpsert, type Json, objectOf, without } from "../newsletter.ts";
import { withoutKey } from "../same-key.ts";

/** Sends another body with the same key as a new request in some histories. */
const forgets = (title: string, applies: Applies, when: (known: Keyed) => boolean): Mutant =>
  withPast("IDEM-2", title, async (request, next, { history }) => {
    const known = history.keyedOf(request);
    const isOpen = known !== undefined && when(known);
    const response = await next(request);
    return applies(request) && response.status === 409 && isOpen ? next(withoutKey(request)) : response;
  });

const ofHistories: Mutant[] = [
  forgets("a second different body of a send is a new request", isSend, ({ conflicts }) => conflicts > 0),
  forgets(
    "a second different body of a contact is a new request",
    isUpsert,
    ({ conflicts }) => conflicts > 0,
  ),
  forgets(
    "another body of a contact is a new request after a replay",
    isUpsert,
    ({ replays }) => replays > 0,
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

const ofParts: Mutant[] = [
  ignores("text of a send is", isSend, (body) => without(body, "text")),
  ignores("subject of the messages of a batch is", isBatch, (body) =>
    messagesIn(body).map((message) => without(message, "subject")),
  ),
  ignores("first_name of a contact is", isUpsert, (body) => without(body, "first_name")),
];

/** Idempotency keys that are compared wrong only in some histories or parts. */
export const conflictMutants: Mutant[] = [...ofHistories, ...ofParts];
