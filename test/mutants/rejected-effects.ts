// Independent faults, kind 5: effects of what was rejected, and of events on others than the one concerned.

import {
  another,
  authOf,
  contactOf,
  contactPath,
  countOf,
  errorTypeOf,
  failure,
  fault,
  idOf,
  isAboutContact,
  isAnySend,
  isBatch,
  isCancel,
  isContactLookup,
  isImmediate,
  isLookup,
  isRateLimited,
  isReplay,
  isReschedule,
  isScheduled,
  isSend,
  isSuccess,
  isUnsubscribe,
  isUpsert,
  type Json,
  keyed,
  keyOf,
  listOf,
  messagePath,
  messagesOf,
  objectOf,
  sendSuccess,
  textOf,
  timeOf,
  withAuth,
  withBody,
  withHeader,
  without,
  withoutKey,
} from "./fault-support.ts";
import type {
  Interceptor,
  Mutant,
  MutantRequest,
  MutantResponse,
  Next,
  RequirementId,
  SandboxContext,
} from "./mutant.ts";

type After = (
  request: MutantRequest,
  response: MutantResponse,
  next: Next,
  context: SandboxContext,
) => Promise<unknown> | unknown;

/** Does something after a request, and returns the right response nevertheless. */
const after = (
  requirement: RequirementId,
  title: string,
  applies: (request: MutantRequest, response: MutantResponse) => boolean,
  act: After,
): Mutant =>
  fault(requirement, title, (context) => async (request, next) => {
    const response = await next(request);
    if (applies(request, response)) await act(request, response, next, context);
    return response;
  });

const isRejected = (response: MutantResponse, status: number, type: string): boolean =>
  response.status === status && errorTypeOf(response) === type;
/** The names in `error.fields` without what follows a dot. */
const faultyFields = ({ body }: MutantResponse): string[] =>
  Object.keys(objectOf(objectOf(objectOf(body).error).fields)).map((name) => name.split(".")[0] ?? "");
const optional = /^(cc|bcc|reply_to|tags|headers|attachments|scheduled_at)$/;

/** The remaining allowance is less than it should be, after requests that do not count. */
const overcounts = (
  requirement: RequirementId,
  title: string,
  extra: (request: MutantRequest, response: MutantResponse) => number,
): Mutant =>
  fault(requirement, title, () => {
    const totals = new Map<string, number>();
    return async (request, next) => {
      const response = await next(request);
      if (!isAnySend(request)) return response;
      const before = totals.get(authOf(request)) ?? 0;
      const total = before + extra(request, response);
      totals.set(authOf(request), total);
      const remaining = response.headers["x-service-monthly-remaining"];
      return remaining === undefined || !isSuccess(response)
        ? response
        : withHeader(response, "x-service-monthly-remaining", String(Math.max(0, Number(remaining) - total)));
    };
  });

/** Remembers who sent a message. */
const withOwners =
  (act: (owners: Map<string, string>, context: SandboxContext) => Interceptor) =>
  (context: SandboxContext): Interceptor => {
    const owners = new Map<string, string>();
    const handle = act(owners, context);
    return async (request, next) => {
      const response = await handle(request, next);
      if (!isAnySend(request) || !isSuccess(response)) return response;
      const { id, data } = objectOf(response.body);
      for (const one of [id, ...listOf(data).map((entry) => objectOf(entry).id)])
        if (typeof one === "string") owners.set(one, authOf(request));
      return response;
    };
  };

export const rejectedEffectMutants: Mutant[] = [
  // Source: ManifoldScholar/manifold#684 (the mail is sent although the validation fails)
  after(
    "ERR-10",
    "a send that is rejected for an optional field is sent without it",
    (request, response) => isSend(request) && isRejected(response, 422, "invalid_request"),
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
    (request, response) => isBatch(request) && isRejected(response, 422, "invalid_request"),
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
    (request, response) => isBatch(request) && isRejected(response, 403, "send_rejected"),
    async (request, _response, next) => {
      const domains = messagesOf(request).map(({ from }) => textOf(from).split("@")[1] ?? "");
      const good = messagesOf(request).filter((_, index) => domains[index] === "bakery.example");
      if (good.length > 0) await next({ ...withoutKey(request), body: { emails: good } });
    },
  ),
  // Source: wp-sms/wp-sms#514 (the row is written before the failure)
  after(
    "CONT-12",
    "a contact that is rejected for a custom field is added without its fields",
    (request, response) =>
      isUpsert(request) &&
      isRejected(response, 422, "invalid_request") &&
      faultyFields(response).every((name) => name === "fields"),
    (request, _response, next) => next(withBody(withoutKey(request), (body) => without(body, "fields"))),
  ),
  // Source: molgenis/molgenis#1791
  after(
    "CONT-15",
    "a contact with a tag that is too long keeps the other tags of the rejected request",
    (request, response) =>
      isUpsert(request) &&
      isRejected(response, 422, "invalid_request") &&
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
  fault("CONT-26", "an address whose list does not exist is known afterwards", () => {
    const seen = new Set<string>();
    return async (request, next) => {
      const response = await next(request);
      const who = `${authOf(request)} ${contactOf(request)}`;
      if (isUpsert(request) && response.status === 404) seen.add(who);
      return isContactLookup(request) && response.status === 404 && seen.has(who)
        ? {
            ...response,
            status: 200,
            headers: { "x-ratelimit-limit": "120", "x-ratelimit-remaining": "60", ...response.headers },
            body: { email: contactOf(request), marketing_blocked: false, lists: [] },
          }
        : response;
    };
  }),
  // Source: Nosdesk/Nosdesk#331 (no tenant in the predicate)
  after(
    "AUTH-2",
    "a contact for the list of another account is added to that account",
    (request, response) => isUpsert(request) && response.status === 404,
    (request, _response, next, { bearer }) =>
      [bearer("full"), bearer("otherAccount")]
        .filter((one) => one !== authOf(request))
        .reduce<Promise<unknown>>(async (before, one) => {
          await before;
          return next(withAuth(withoutKey(request), one));
        }, Promise.resolve()),
  ),
  // Source: Nosdesk/Nosdesk#331
  fault(
    "AUTH-2",
    "the message of another account is canceled although the response is 404",
    withOwners((owners) => async (request, next) => {
      const response = await next(request);
      const owner = isCancel(request) && response.status === 404 ? owners.get(idOf(request)) : undefined;
      if (owner !== undefined && owner !== authOf(request)) await next(withAuth(request, owner));
      return response;
    }),
  ),
  // Source: from experience (the check runs after the handler)
  fault(
    "AUTH-15",
    "a message is canceled by a key without the ability although the response is 403",
    withOwners((owners) => async (request, next) => {
      const response = await next(request);
      const owner = isCancel(request) && response.status === 403 ? owners.get(idOf(request)) : undefined;
      if (owner !== undefined) await next(withAuth(request, owner));
      return response;
    }),
  ),
  // Source: from experience (the check runs after the handler)
  after(
    "AUTH-15",
    "a contact is unsubscribed by a key that may only read although the response is 403",
    (request, response) => isUnsubscribe(request) && isRejected(response, 403, "forbidden"),
    (request, _response, next, { bearer }) => next(withAuth(request, bearer("full"))),
  ),
  // Source: from experience (a revoked key is checked by the gateway, after the work was queued)
  after(
    "AUTH-14",
    "a contact is unsubscribed by a revoked key although the response is 401",
    (request, response) => isUnsubscribe(request) && isRejected(response, 401, "unauthorized"),
    (request, _response, next, { bearer }) =>
      authOf(request) === bearer("revoked") ? next(withAuth(request, bearer("full"))) : undefined,
  ),
  // Source: from experience (the time is limited instead of rejected)
  after(
    "SCHED-19",
    "a rescheduling that is rejected as too far ahead moves the message to the limit",
    (request, response) => isReschedule(request) && isRejected(response, 422, "invalid_request"),
    (request, _response, next, { now }) => {
      const asked = timeOf(objectOf(request.body).scheduled_at);
      const limit = now() + 30 * 86_400_000 - 60_000;
      return asked > limit
        ? next(withBody(request, (body) => ({ ...body, scheduled_at: new Date(limit).toISOString() })))
        : undefined;
    },
  ),
  // Source: chandshy/mailpouch#137 (the state is written before the check)
  fault("SCHED-19", "a message whose cancellation is rejected is never shown as delivered", () => {
    const stuck = new Set<string>();
    return async (request, next) => {
      const response = await next(request);
      const id = idOf(request);
      if (isCancel(request) && isRejected(response, 409, "not_cancellable")) stuck.add(id);
      const record = objectOf(response.body);
      return isLookup(request) && stuck.has(id) && record.status === "delivered"
        ? { ...response, body: { ...record, status: "sent", delivered_at: null } }
        : response;
    };
  }),
  // Source: chandshy/mailpouch#137
  fault("SCHED-19", "a message whose rescheduling is rejected shows the new time", () => {
    const asked = new Map<string, unknown>();
    return async (request, next) => {
      const response = await next(request);
      const id = idOf(request);
      if (isReschedule(request) && isRejected(response, 409, "not_reschedulable"))
        asked.set(id, new Date(timeOf(objectOf(request.body).scheduled_at) || 0).toISOString());
      return isLookup(request) && isSuccess(response) && asked.has(id)
        ? { ...response, body: { ...objectOf(response.body), scheduled_at: asked.get(id) } }
        : response;
    };
  }),
  // Source: from experience (the counter is incremented before the check)
  overcounts(
    "LIMIT-5",
    "a send whose recipients are all suppressed counts toward the allowance",
    (request, response) =>
      isSend(request) && isRejected(response, 422, "send_rejected") ? countOf(request) : 0,
  ),
  // Source: api7/aisix#117 (the compensation of a counter)
  overcounts("LIMIT-5", "a send that is too large counts toward the allowance", (request, response) =>
    isSend(request) && response.status === 413 ? countOf(request) : 0,
  ),
  // Source: from experience (the counter is incremented before the check)
  overcounts("LIMIT-5", "a batch that is rejected counts toward the allowance", (request, response) =>
    isBatch(request) && response.status === 422 ? countOf(request) : 0,
  ),
  // Source: useplunk/plunk#484, from experience (a replay passes the counter)
  overcounts("IDEM-8", "a replay counts toward the allowance", (request, response) =>
    isImmediate(request) && isReplay(response) ? countOf(request) : 0,
  ),
  // Source: from experience (the conflict is counted)
  overcounts(
    "IDEM-2",
    "a request with the idempotency key of another one counts toward the allowance",
    (request, response) => (isRejected(response, 409, "idempotency_conflict") ? countOf(request) : 0),
  ),
  // Source: from experience (the conflict overwrites the stored request)
  fault("IDEM-1", "after a conflict the first request is no longer replayed", () => {
    const overwritten = new Set<string>();
    return async (request, next) => {
      if (keyOf(request) === undefined) return next(request);
      if (overwritten.has(keyed(request))) return failure(409, "idempotency_conflict");
      const response = await next(request);
      if (isRejected(response, 409, "idempotency_conflict")) overwritten.add(keyed(request));
      return response;
    };
  }),
  // Source: from experience (the conflict is found when the contact is stored already)
  after(
    "IDEM-2",
    "a contact with the idempotency key of another one is stored although the response is 409",
    (request, response) => isUpsert(request) && isRejected(response, 409, "idempotency_conflict"),
    (request, _response, next) => next(withoutKey(request)),
  ),
  // Source: from experience (the upsert runs, only the response is cached)
  after(
    "IDEM-8",
    "a replay of an upsert writes the names and fields again",
    (request, response) => isUpsert(request) && isReplay(response),
    (request, _response, next) => next(withoutKey(request)),
  ),
  // Source: mohamedboukari/bunmail#188
  fault("IDEM-8", "a replay of a scheduled send whose message was canceled schedules it again", () => {
    const canceled = new Set<string>();
    return async (request, next) => {
      const response = await next(request);
      if (isCancel(request) && isSuccess(response)) canceled.add(idOf(request));
      if (isScheduled(request) && isReplay(response) && canceled.has(textOf(objectOf(response.body).id)))
        await next(withoutKey(request));
      return response;
    };
  }),
  // Source: from experience (rate-limited requests wait in a queue)
  fault("LIMIT-1", "a send that is rejected for the rate limit is sent later", () => {
    const waiting = new Map<string, MutantRequest[]>();
    return async (request, next) => {
      const response = await next(request);
      const queue = waiting.get(authOf(request)) ?? [];
      if (isRateLimited(response)) {
        if (isSend(request)) waiting.set(authOf(request), [...queue, withoutKey(request)].slice(-3));
        return response;
      }
      if (
        queue.length === 0 ||
        !isSuccess(response) ||
        Number(response.headers["x-ratelimit-remaining"]) < 10
      )
        return response;
      waiting.delete(authOf(request));
      for (const one of queue) await next(one);
      return response;
    };
  }),
  // Source: from experience (rate-limited requests wait in a queue)
  fault("LIMIT-1", "an upsert that is rejected for the rate limit is performed later", () => {
    const waiting = new Map<string, MutantRequest>();
    return async (request, next) => {
      const response = await next(request);
      if (isRateLimited(response)) {
        if (isUpsert(request)) waiting.set(authOf(request), withoutKey(request));
        return response;
      }
      const one = waiting.get(authOf(request));
      if (one === undefined || !isSuccess(response) || Number(response.headers["x-ratelimit-remaining"]) < 10)
        return response;
      waiting.delete(authOf(request));
      await next(one);
      return response;
    };
  }),
  // Source: from experience (scheduled mail is not checked against the ceiling)
  fault("LIMIT-7", "a scheduled send is accepted at the sending ceiling", () => async (request, next) => {
    const response = await next(request);
    if (!isScheduled(request) || !isRejected(response, 429, "send_rejected")) return response;
    const time = new Date(timeOf(objectOf(request.body).scheduled_at) || 0).toISOString();
    return sendSuccess(response, 202, { id: "sched_at_the_ceiling", scheduled_at: time, suppressed: [] });
  }),
  // Source: from experience (the ceiling is checked in the handler of single sends)
  fault("LIMIT-7", "a batch is accepted at the sending ceiling", () => async (request, next) => {
    const response = await next(request);
    if (!isBatch(request) || !isRejected(response, 429, "send_rejected")) return response;
    const data = messagesOf(request).map((_, index) => ({
      id: `sched_at_the_ceiling_${index}`,
      suppressed: [],
    }));
    return sendSuccess(response, 202, { data });
  }),
  // Source: usesend/useSend#337 (every address of the message is suppressed)
  fault(
    "SEND-34",
    "after a bounce the recipients in `cc` of the message are suppressed too",
    ({ control, bearer }) => {
      const copies = new Map<string, unknown[]>();
      return async (request, next) => {
        const response = await next(request);
        const id = textOf(objectOf(response.body).id);
        const { cc } = objectOf(request.body);
        if (isSend(request) && isSuccess(response) && authOf(request) === bearer("full"))
          copies.set(id, listOf(cc));
        if (!isLookup(request) || objectOf(response.body).status !== "bounced") return response;
        for (const email of copies.get(id) ?? [])
          await control("POST", "/sandbox/suppress", { email, reason: "hard bounce" });
        copies.delete(id);
        return response;
      };
    },
  ),
  // Source: hexclave/hexclave#1341 (an event is attributed to another message)
  fault("SIM-3", "the message after a bounced one in a batch is shown as bounced too", () => {
    const before = new Map<string, string>();
    return async (request, next) => {
      const response = await next(request);
      if (isBatch(request) && isSuccess(response)) {
        const ids = listOf(objectOf(response.body).data).map((entry) => textOf(objectOf(entry).id));
        for (const [index, id] of ids.entries()) before.set(id, ids[index - 1] ?? "");
      }
      const other = isLookup(request) && isSuccess(response) ? before.get(idOf(request)) : undefined;
      if (!other) return response;
      const { status, bounced_at, bounce, events } = objectOf(
        (await next(another(request, "GET", messagePath(other)))).body,
      );
      return status === "bounced"
        ? {
            ...response,
            body: {
              ...objectOf(response.body),
              status,
              delivered_at: null,
              complained_at: null,
              bounced_at,
              bounce,
              events,
            },
          }
        : response;
    };
  }),
  // Source: Nosdesk/Nosdesk#331 (suppressions without a workspace)
  after(
    "AUTH-2",
    "an address that one account suppresses is suppressed for another account",
    (request, response) =>
      isSend(request) && isSuccess(response) && listOf(objectOf(response.body).suppressed).length > 0,
    async (request, response, _next, { control, bearer }) => {
      if (authOf(request) !== bearer("full")) return;
      for (const email of listOf(objectOf(response.body).suppressed))
        await control("POST", "/sandbox/suppress", { email, account: "florist" }).catch(() => undefined);
    },
  ),
  // Source: campaignmonitor/createsend-php#78, putyourlightson/craft-campaign#523
  after(
    "AUTH-2",
    "an unsubscribe from everything also unsubscribes the address in another account",
    (request, response) =>
      isUnsubscribe(request) && isSuccess(response) && objectOf(request.body).list_id === undefined,
    (request, _response, next, { bearer }) => {
      const other = authOf(request) === bearer("otherAccount") ? bearer("full") : bearer("otherAccount");
      return next(withAuth(request, other));
    },
  ),
  // Source: from experience (one table of people for all accounts)
  fault("AUTH-2", "the names of a contact are shared with another account that knows the address", () => {
    const names = new Map<string, Json>();
    return async (request, next) => {
      const response = await next(request);
      if (!isSuccess(response)) return response;
      const { first_name, last_name } = objectOf(request.body);
      if (isUpsert(request) && (first_name !== undefined || last_name !== undefined))
        names.set(contactOf(request), { auth: authOf(request), first_name, last_name });
      const { auth, ...latest } = names.get(contactOf(request)) ?? {};
      if (!isContactLookup(request) || auth === undefined || auth === authOf(request)) return response;
      const { lists } = objectOf(response.body);
      // The keys of one account see the same names anyway.
      const given = Object.fromEntries(Object.entries(latest).filter(([, value]) => value !== undefined));
      return {
        ...response,
        body: {
          ...objectOf(response.body),
          lists: listOf(lists).map((one) => ({ ...objectOf(one), ...given })),
        },
      };
    };
  }),
  // Source: mautic/mautic#10844 (marketing and transactional mail), knadh/listmonk#2193
  after(
    "UNSUB-3",
    "leaving the last list, one by one, suppresses transactional email",
    (request, response) =>
      isUnsubscribe(request) &&
      isSuccess(response) &&
      objectOf(request.body).list_id !== undefined &&
      listOf(objectOf(response.body).lists).length > 1 &&
      listOf(objectOf(response.body).lists).every((one) => objectOf(one).status === "unsubscribed"),
    (request, _response, _next, { control }) =>
      control("POST", "/sandbox/suppress", { email: contactOf(request), reason: "unsubscribe" }),
  ),
  // Source: from experience (an update by time instead of id)
  fault("SCHED-20", "a cancellation cancels all messages of the account for the same time", () => {
    const times = new Map<string, string>();
    return async (request, next) => {
      const response = await next(request);
      const name = (id: string) => `${authOf(request)} ${id}`;
      if (isScheduled(request) && isSuccess(response))
        times.set(name(textOf(objectOf(response.body).id)), textOf(objectOf(response.body).scheduled_at));
      if (!isCancel(request) || !isSuccess(response)) return response;
      const time = times.get(name(idOf(request)));
      for (const [other, otherTime] of times)
        if (time !== undefined && otherTime === time && other !== name(idOf(request)))
          await next(another(request, "DELETE", messagePath(other.slice(authOf(request).length + 1))));
      return response;
    };
  }),
  // Source: from experience (an underscore in an SQL LIKE)
  fault("UNSUB-1", "an underscore in the email address of an unsubscribe stands for any character", () => {
    const known = new Set<string>();
    return async (request, next) => {
      if (isUpsert(request)) known.add(contactOf(request));
      const response = await next(request);
      const email = contactOf(request);
      if (!isUnsubscribe(request) || !isSuccess(response) || !email.includes("_")) return response;
      const pattern = new RegExp(`^${email.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll("_", ".")}$`);
      for (const other of known)
        if (other !== email && pattern.test(other))
          await next({ ...request, path: `${contactPath(other)}/unsubscribe` });
      return response;
    };
  }),
  // Source: mozilla/fxa-content-server#2524 (addresses with a plus sign are mixed up)
  fault(
    "UNSUB-1",
    "an unsubscribe of an address with a plus sign also unsubscribes the address without it",
    () => async (request, next) => {
      const response = await next(request);
      const email = contactOf(request);
      if (isUnsubscribe(request) && isSuccess(response) && email.includes("+"))
        await next({ ...request, path: `${contactPath(email.replace(/\+[^@]*/, ""))}/unsubscribe` });
      return response;
    },
  ),
  // Source: knadh/listmonk#2987 (a confirmed subscriber becomes unconfirmed)
  fault("CONT-25", "an update on one list makes the membership of another list pending again", () => {
    const pending = new Set<string>();
    return async (request, next) => {
      const response = await next(request);
      const who = `${authOf(request)} ${contactOf(request)}`;
      if (isUpsert(request) && response.status === 201 && objectOf(response.body).status === "pending")
        pending.add(who);
      if (!isAboutContact(request) || !isSuccess(response) || !pending.has(who)) return response;
      const lists = listOf(objectOf(response.body).lists).map(objectOf);
      const isWaiting = lists.some(({ status }) => status === "pending");
      return {
        ...response,
        body: {
          ...objectOf(response.body),
          lists: isWaiting
            ? lists.map((one) =>
                one.status === "subscribed" ? { ...one, status: "pending", subscribed_at: null } : one,
              )
            : lists,
        },
      };
    };
  }),
  // Source: from experience (a failed attempt locks the key)
  fault("AUTH-12", "a request without a key makes the next request of the account fail", ({ bearer }) => {
    let failed = false;
    return (request, next) => {
      if (authOf(request) === "") {
        failed = true;
        return next(request);
      }
      if (!failed || authOf(request) !== bearer("second")) return next(request);
      failed = false;
      return failure(401, "unauthorized");
    };
  }),
  // Source: from experience (the domain of a rejected sender is stopped)
  fault("ERR-9", "a send from a stopped domain stops the next one from another domain", () => {
    const stopped = new Set<string>();
    return async (request, next) => {
      if (isAnySend(request) && stopped.delete(authOf(request))) return failure(409, "send_rejected");
      const response = await next(request);
      const isStopped = messagesOf(request).some(({ from }) => /@stopped\./.test(textOf(from)));
      if (isRejected(response, 409, "send_rejected") && isStopped) stopped.add(authOf(request));
      return response;
    };
  }),
  // Source: usesend/useSend#337
  fault("SEND-35", "the recipient after a suppressed one is skipped too", () => (request, next) => {
    const { to } = objectOf(request.body);
    const index = listOf(to).findIndex((address) =>
      /^(gone|angry|left)@readers\.example$/.test(textOf(address)),
    );
    return next(
      isSend(request) && index >= 0 && listOf(to).length > index + 2
        ? withBody(request, (body) => ({ ...body, to: listOf(to).toSpliced(index + 1, 1) }))
        : request,
    );
  }),
];
