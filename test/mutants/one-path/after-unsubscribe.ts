import { isBatch, messagesIn, recipientFields } from "../email.ts";
import { authorizationOf, type Contact, withPast } from "../history.ts";
import type { Applies, Mutant, MutantRequest } from "../mutant.ts";
import { isSuccess, isUnsubscribe, isUpsert, type Json, listOf, objectOf, textOf } from "../newsletter.ts";

/** Posts that put a contact back on a list that it left. */
const resubscribes = (
  title: string,
  which: (body: Json, contact: Contact, request: MutantRequest) => boolean,
): Mutant =>
  withPast("MEMB-17", title, async (request, next, { history }) => {
    const contact =
      isUpsert(request) && history.memberOf(request)?.left ? history.contactOf(request) : undefined;
    const affected = contact !== undefined && which(objectOf(request.body), contact, request);
    const response = await next(request);
    return affected && isSuccess(response)
      ? { ...response, body: { ...objectOf(response.body), status: "subscribed", unsubscribed_at: null } }
      : response;
  });

const ofReturns: Mutant[] = [
  resubscribes(
    "the second post after an unsubscribe subscribes again",
    ({ list_id: list }, { lists }) => (lists.get(list)?.posts ?? 0) > 1,
  ),
  resubscribes(
    "a post by another key of the account subscribes again",
    (_, { changedBy }, request) => changedBy !== authorizationOf(request),
  ),
  resubscribes("a post with tags subscribes again", (body) => listOf(body.tags).length > 0),
];

const skipsLeft = (title: string, applies: Applies): Mutant =>
  withPast("UNSUB-3", title, async (request, next, { history }) => {
    const response = await next(request);
    if (isUnsubscribe(request) && isSuccess(response))
      history.marks.add(textOf(objectOf(response.body).email));
    if (!applies(request) || !isSuccess(response)) return response;
    const left = (message: Json): unknown[] =>
      recipientFields
        .flatMap((name) => listOf(message[name]))
        .filter((one) => history.marks.has(String(one)));
    const body = objectOf(response.body);
    const add = (entry: Json, message: Json): Json => ({
      ...entry,
      suppressed: [...listOf(entry.suppressed), ...left(message)],
    });
    if (!isBatch(request)) return { ...response, body: add(body, objectOf(request.body)) };
    const messages = messagesIn(request.body);
    return {
      ...response,
      body: {
        ...body,
        data: listOf(body.data).map((entry, index) => add(objectOf(entry), messages[index] ?? {})),
      },
    };
  });

const ofTransactional: Mutant[] = [skipsLeft("a contact that unsubscribed is skipped by batches", isBatch)];

/** What contacts that left get only on some paths. */
export const afterUnsubscribeMutants: Mutant[] = [...ofReturns, ...ofTransactional];
