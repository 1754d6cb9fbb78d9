// Effects of what was rejected.

import { idOf, isBatch, isCancel, isMessageLookup, isReschedule, isSend, stateful } from "./email.ts";
import { after, another, isAnySend, messagePath, timeOf, withBody, without } from "./fault-support.ts";
import { authorizationOf } from "./history.ts";
import {
  type Interceptor,
  type Mutant,
  type MutantRequest,
  type MutantResponse,
  remembers,
  type SandboxContext,
} from "./mutant.ts";
import {
  emailOf,
  isContactLookup,
  isSuccess,
  isUnsubscribe,
  isUpsert,
  listOf,
  objectOf,
  textOf,
} from "./newsletter.ts";
import { isError, sentMessages, withFields, withKey } from "./requests.ts";
import { withoutKey } from "./same-key.ts";

/** The names in `error.fields` without what follows a dot. */
const faultyFields = ({ body }: MutantResponse): string[] =>
  Object.keys(objectOf(objectOf(objectOf(body).error).fields)).map((name) => name.split(".")[0] ?? "");
const optional = /^(cc|bcc|reply_to|tags|headers|attachments|scheduled_at)$/;

/** Remembers who sent a message. */
export const withOwners =
  (act: (owners: Map<string, string>, context: SandboxContext) => Interceptor) =>
  (context: SandboxContext): Interceptor => {
    const owners = new Map<string, string>();
    const handle = act(owners, context);
    return async (request, next) => {
      const response = await handle(request, next);
      if (!isAnySend(request) || !isSuccess(response)) return response;
      const { id, data } = objectOf(response.body);
      for (const one of [id, ...listOf(data).map((entry) => objectOf(entry).id)])
        if (typeof one === "string") owners.set(one, authorizationOf(request));
      return response;
    };
  };

/** A change of a message on its way that is rejected, and stops the delivery. */
const stopsDelivery = (title: string, applies: (request: MutantRequest) => boolean): Mutant =>
  stateful("SCHED-19", title, () => {
    const stopped = new Map<string, unknown>();
    return async (request, next) => {
      const response = await next(request);
      const id = idOf(request);
      if (isMessageLookup(request) && stopped.has(id)) return { ...response, body: stopped.get(id) };
      if (!applies(request) || response.status !== 409) return response;
      const { body } = await next(another(request, "GET", messagePath(id)));
      if (objectOf(body).status === "sent") stopped.set(id, body);
      return response;
    };
  });

export const rejectedEffectMutants: Mutant[] = [
  // Source: from experience (the job is removed from the queue before the status is looked at)
  stopsDelivery("a cancel that is too late stops the delivery", isCancel),
  stopsDelivery("a reschedule that is too late stops the delivery", isReschedule),
  // Source: ManifoldScholar/manifold#684 (the mail is sent although the validation fails)
  after(
    "ERR-10",
    "a send that is rejected for an optional field is sent without it",
    (request, response) => isSend(request) && isError(response, 422, "invalid_request"),
    (request, response, next) => {
      const fields = faultyFields(response);
      if (fields.length === 0 || !fields.every((name) => optional.test(name))) return undefined;
      return next(withBody(withoutKey(request), (body) => without(body, ...fields)));
    },
  ),
  // Source: openforis/collect-earth-online#623, HHS/simpler-grants-gov#11064 (partial success of a batch)
  after(
    "BATCH-7",
    "the messages of a batch before the first invalid one are sent",
    (request, response) => isBatch(request) && isError(response, 422, "invalid_request"),
    (request, response, next) => {
      const positions = Object.keys(objectOf(objectOf(objectOf(response.body).error).fields)).map((name) =>
        Number(name.split(".")[1]),
      );
      const first = Math.min(...positions);
      if (!(first > 0)) return undefined;
      return next(
        withBody(withoutKey(request), (body) => ({ ...body, emails: listOf(body.emails).slice(0, first) })),
      );
    },
  ),
  // Source: openforis/collect-earth-online#623
  after(
    "BATCH-7",
    "the messages of a batch that is rejected for the sender of another message are sent",
    (request, response) => isBatch(request) && isError(response, 403, "send_rejected"),
    async (request, _response, next) => {
      const domains = sentMessages(request).map(({ from }) => textOf(from).split("@")[1] ?? "");
      const good = sentMessages(request).filter((_, index) => domains[index] === "bakery.example");
      if (good.length > 0) await next({ ...withoutKey(request), body: { emails: good } });
    },
  ),
  // Source: wp-sms/wp-sms#514 (the row is written before the failure)
  after(
    "CONT-12",
    "a contact that is rejected for a custom field is added without its fields",
    (request, response) =>
      isUpsert(request) &&
      isError(response, 422, "invalid_request") &&
      faultyFields(response).every((name) => name === "fields"),
    (request, _response, next) => next(withBody(withoutKey(request), (body) => without(body, "fields"))),
  ),
  // Source: molgenis/molgenis#1791
  after(
    "CONT-15",
    "a contact with a tag that is too long keeps the other tags of the rejected request",
    (request, response) =>
      isUpsert(request) &&
      isError(response, 422, "invalid_request") &&
      faultyFields(response).every((name) => name === "tags"),
    (request, _response, next) =>
      next(
        withBody(withoutKey(request), (body) => ({
          ...body,
          tags: listOf(body.tags)
            .filter((tag) => typeof tag === "string" && tag.length <= 60)
            .slice(0, 20),
        })),
      ),
  ),
  // Source: molgenis/molgenis#1791 (the record is created before its membership)
  remembers("CONT-26", "an address whose list does not exist is known afterwards", () => {
    const seen = new Set<string>();
    return (response, request) => {
      const who = `${authorizationOf(request)} ${emailOf(request)}`;
      if (isUpsert(request) && response.status === 404) seen.add(who);
      return isContactLookup(request) && response.status === 404 && seen.has(who)
        ? {
            ...response,
            status: 200,
            headers: { "x-ratelimit-limit": "120", "x-ratelimit-remaining": "60", ...response.headers },
            body: { email: emailOf(request), marketing_blocked: false, lists: [] },
          }
        : response;
    };
  }),
  // Source: from experience (the check runs after the handler)
  stateful(
    "AUTH-15",
    "a message is canceled by a key without the ability although the response is 403",
    withOwners((owners) => async (request, next) => {
      const response = await next(request);
      const owner = isCancel(request) && response.status === 403 ? owners.get(idOf(request)) : undefined;
      if (owner !== undefined) await next(withKey(request, owner));
      return response;
    }),
  ),
  // Source: from experience (the check runs after the handler)
  after(
    "AUTH-15",
    "a contact is unsubscribed by a key that may only read although the response is 403",
    (request, response) => isUnsubscribe(request) && isError(response, 403, "forbidden"),
    (request, _response, next, { bearer }) => next(withKey(request, bearer("full"))),
  ),
  // Source: from experience (a revoked key is checked by the gateway, after the work was queued)
  after(
    "AUTH-14",
    "a contact is unsubscribed by a revoked key although the response is 401",
    (request, response) => isUnsubscribe(request) && isError(response, 401, "unauthorized"),
    (request, _response, next, { bearer }) =>
      authorizationOf(request) === bearer("revoked") ? next(withKey(request, bearer("full"))) : undefined,
  ),
  // Source: from experience (the time is limited instead of rejected)
  after(
    "SCHED-19",
    "a rescheduling that is rejected as too far ahead moves the message to the limit",
    (request, response) => isReschedule(request) && isError(response, 422, "invalid_request"),
    (request, _response, next, { now }) => {
      const asked = timeOf(objectOf(request.body).scheduled_at);
      const limit = now() + 30 * 86_400_000 - 60_000;
      return asked > limit
        ? next(withBody(request, (body) => ({ ...body, scheduled_at: new Date(limit).toISOString() })))
        : undefined;
    },
  ),
  // Source: chandshy/mailpouch#137 (the state is written before the check)
  remembers("SCHED-19", "a message whose cancellation is rejected is never shown as delivered", () => {
    const stuck = new Set<string>();
    return (response, request) => {
      const id = idOf(request);
      if (isCancel(request) && isError(response, 409, "not_cancellable")) stuck.add(id);
      const record = objectOf(response.body);
      return isMessageLookup(request) && stuck.has(id) && record.status === "delivered"
        ? { ...response, body: { ...record, status: "sent", delivered_at: null } }
        : response;
    };
  }),
  // Source: chandshy/mailpouch#137
  remembers("SCHED-19", "a message whose rescheduling is rejected shows the new time", () => {
    const asked = new Map<string, unknown>();
    return (response, request) => {
      const id = idOf(request);
      if (isReschedule(request) && isError(response, 409, "not_reschedulable"))
        asked.set(id, new Date(timeOf(objectOf(request.body).scheduled_at) || 0).toISOString());
      return isMessageLookup(request) && isSuccess(response) && asked.has(id)
        ? withFields(response, { scheduled_at: asked.get(id) })
        : response;
    };
  }),
];
