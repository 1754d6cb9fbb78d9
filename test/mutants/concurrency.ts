import {
  accepted,
  idOf,
  isBatch,
  isCancel,
  isImmediate,
  isMessageLookup,
  isReschedule,
  isScheduled,
  isSend,
  recipientsOf,
  stateful,
  timeOf,
} from "./email.ts";
import { success, together } from "./fault-support.ts";
import { authorizationOf, hour, iso, lookupAt } from "./history.ts";
import type { Mutant, MutantRequest, MutantResponse, Next, RequirementId, SandboxContext } from "./mutant.ts";
import { errorResponse, isSuccess, isUpsert, listOf, objectOf, textOf } from "./newsletter.ts";
import { withFields, withHeaders } from "./requests.ts";
import { asReplay, scopedKey, withoutKey } from "./same-key.ts";

type Position = (
  request: MutantRequest,
  next: Next,
  position: number,
  first: Promise<MutantResponse>,
) => Promise<MutantResponse> | MutantResponse;

/** Handles requests with the same name at the same time in another way. */
export const race = (
  requirement: RequirementId,
  title: string,
  nameOf: (request: MutantRequest) => string | undefined,
  handle: () => Position,
): Mutant =>
  stateful(requirement, title, () => {
    const at = together();
    const handled = handle();
    return (request, next) => {
      const name = nameOf(request);
      return name === undefined
        ? next(request)
        : at(name, (position, first) => handled(request, next, position, first));
    };
  });

/** The name of requests with the same idempotency key. */
const sameKey =
  (applies: (request: MutantRequest) => boolean) =>
  (request: MutantRequest): string | undefined =>
    applies(request) ? scopedKey(request) : undefined;
/** What is handled while another request with the same name is handled, whichever came first. */
export const beside = (
  requirement: RequirementId,
  title: string,
  other: (request: MutantRequest) => boolean,
  applies: (request: MutantRequest) => boolean,
  nameOf: (request: MutantRequest) => string,
  handle: (
    request: MutantRequest,
    next: Next,
    context: SandboxContext,
  ) => Promise<MutantResponse> | MutantResponse,
): Mutant =>
  stateful(requirement, title, (context) => {
    const running = new Map<string, number>();
    const at = together();
    const add = (name: string, change: number) => running.set(name, (running.get(name) ?? 0) + change);
    return async (request, next) => {
      const name = nameOf(request);
      if (applies(request)) {
        const isBeside = (running.get(name) ?? 0) > 0;
        return at(`one ${name}`, () =>
          isBeside || (running.get(name) ?? 0) > 0 ? handle(request, next, context) : next(request),
        );
      }
      if (!other(request)) return next(request);
      add(name, 1);
      try {
        return await at(`other ${name}`, () => next(request));
      } finally {
        add(name, -1);
      }
    };
  });

/** A lookup during a change keeps what it showed, and later ones show it too. */
export const remembersBeside = (
  requirement: RequirementId,
  title: string,
  changes: (request: MutantRequest) => boolean,
  isLookup: (request: MutantRequest) => boolean,
  nameOf: (request: MutantRequest) => string,
  lookUp: (request: MutantRequest) => MutantRequest,
): Mutant =>
  stateful(requirement, title, () => {
    const running = new Map<string, Promise<MutantResponse>>();
    const kept = new Map<string, MutantResponse>();
    return async (request, next) => {
      const name = nameOf(request);
      if (changes(request)) {
        const before = next(lookUp(request));
        running.set(name, before);
        await before;
        const response = await next(request);
        running.delete(name);
        return response;
      }
      if (!isLookup(request)) return next(request);
      const before = await running.get(name);
      if (before !== undefined && isSuccess(before)) kept.set(name, before);
      const response = await next(request);
      const { body = response.body } = kept.get(name) ?? {};
      return isSuccess(response) ? { ...response, body } : response;
    };
  });

const messageName = (request: MutantRequest): string => `${authorizationOf(request)} ${idOf(request)}`;

const sameMessage = (request: MutantRequest): string | undefined =>
  isReschedule(request) || isCancel(request) ? `${authorizationOf(request)} ${idOf(request)}` : undefined;

/** Without the key, as if the store had not known it yet. */
const notKnownYet = (): Position => (request, next, position) =>
  next(position > 0 ? withoutKey(request) : request);

const secondFails = (): Position => (request, next, position) =>
  position > 0 ? errorResponse(500, "internal_error") : next(request);

export const concurrencyMutants: Mutant[] = [
  race(
    "IDEM-8",
    "the second of two scheduled sends with one key at once is scheduled too",
    sameKey(isScheduled),
    notKnownYet,
  ),
  race(
    "IDEM-1",
    "the second of two upserts with one key at once is performed as an update",
    sameKey(isUpsert),
    notKnownYet,
  ),
  race(
    "IDEM-2",
    "two sends at once with one key and different bodies are both sent",
    sameKey(isSend),
    notKnownYet,
  ),
  race("ERR-13", "the second of two sends with one key at once ends in a 500", sameKey(isSend), secondFails),
  race(
    "ERR-13",
    "the second of two batches with one key at once ends in a 500",
    sameKey(isBatch),
    secondFails,
  ),
  race(
    "IDEM-1",
    "the second of two sends with one key at once replays a response that is empty yet",
    sameKey(isSend),
    () => async (request, next, position, first) => {
      if (position === 0) return next(request);
      const response = await first;
      return isSuccess(response) ? asReplay({ ...response, body: {} }) : next(request);
    },
  ),
  beside(
    "SCHED-14",
    "a cancellation beside a rescheduling is confirmed, but the message is sent",
    isReschedule,
    isCancel,
    messageName,
    async (request, next) => {
      const record = await next(lookupAt(request));
      return objectOf(record.body).status === "scheduled"
        ? success(record, 200, { id: idOf(request), status: "canceled" })
        : next(request);
    },
  ),
  stateful(
    "SCHED-14",
    "a message canceled beside a rescheduling is shown as canceled until it is sent",
    (context) => {
      const canceled = new Set<string>();
      const confirm = async (request: MutantRequest, next: Next): Promise<MutantResponse> => {
        canceled.add(messageName(request));
        return success(await next(lookupAt(request)), 200, { id: idOf(request), status: "canceled" });
      };
      const cancel = beside("SCHED-14", "", isReschedule, isCancel, messageName, confirm).intercept(context);
      return async (request, next) => {
        const response = await cancel(request, next);
        const isWaiting =
          canceled.has(messageName(request)) && objectOf(response.body).status === "scheduled";
        return isMessageLookup(request) && isWaiting
          ? withFields(response, { status: "canceled" })
          : response;
      };
    },
  ),
  stateful("SCHED-10", "a message that is rescheduled twice at once is sent at both times", () => {
    const at = together();
    const sent = new Map<string, MutantRequest>();
    return async (request, next) => {
      if (isReschedule(request))
        return at(`${authorizationOf(request)} ${idOf(request)}`, async (position) => {
          const response = await next(request);
          const original = sent.get(`${authorizationOf(request)} ${idOf(request)}`);
          if (position === 0 || !isSuccess(response) || original === undefined) return response;
          const { scheduled_at: time } = objectOf(request.body);
          await next(withFields(withoutKey(original), { scheduled_at: time }));
          return response;
        });
      const response = await next(request);
      if (isScheduled(request) && isSuccess(response))
        sent.set(`${authorizationOf(request)} ${textOf(objectOf(response.body).id)}`, request);
      return response;
    };
  }),
  race(
    "ERR-13",
    "the second of two cancellations of a message at once ends in a 500",
    (request) => (isCancel(request) ? sameMessage(request) : undefined),
    secondFails,
  ),
  stateful("LIMIT-5", "of two sends at once only the recipients of the first count", () => {
    const at = together();
    const lost = new Map<string, number>();
    return (request, next) => {
      if (!(isSend(request) || isBatch(request))) return next(request);
      return at(authorizationOf(request), async (position) => {
        const response = await next(request);
        if (!isSuccess(response)) return response;
        if (position > 0)
          lost.set(
            authorizationOf(request),
            (lost.get(authorizationOf(request)) ?? 0) + recipientsOf(request),
          );
        const { "x-service-monthly-remaining": remaining, "x-service-monthly-quota": quota } =
          response.headers;
        const shown = Math.min(Number(quota), Number(remaining) + (lost.get(authorizationOf(request)) ?? 0));
        return withHeaders(response, { "x-service-monthly-remaining": String(shown) });
      });
    };
  }),
  beside(
    "LOOK-1",
    "a message cannot be found while it is rescheduled",
    isReschedule,
    isMessageLookup,
    messageName,
    () => errorResponse(404, "not_found"),
  ),
  remembersBeside(
    "LOOK-9",
    "a lookup beside a rescheduling remembers the old time for later ones",
    isReschedule,
    isMessageLookup,
    messageName,
    (request) => lookupAt(request),
  ),
  remembersBeside(
    "LOOK-1",
    "a lookup beside a cancellation remembers the scheduled message for later ones",
    isCancel,
    isMessageLookup,
    messageName,
    (request) => lookupAt(request),
  ),
  stateful("HEAD-2", "two requests at the same time have the same request id", () => {
    const at = together();
    return (request, next) =>
      at("all", async (position, first) => {
        const response = await next(request);
        if (position === 0 || !isSuccess(response)) return response;
        const id = (await first).headers["x-service-request-id"];
        return id === undefined ? response : withHeaders(response, { "x-service-request-id": id });
      });
  }),
  stateful("SEND-31", "two immediate sends at the same time get the same message id", () => {
    const at = together();
    return (request, next) => {
      if (!isImmediate(request) || scopedKey(request) !== undefined) return next(request);
      return at(authorizationOf(request), async (position, first) => {
        const response = await next(request);
        if (position === 0 || !isSuccess(response)) return response;
        const { id } = objectOf((await first).body);
        return id === undefined ? response : withFields(response, { id });
      });
    };
  }),
  stateful(
    "LOOK-1",
    "of two lookups of messages at the same time the second returns the first message",
    () => {
      const at = together();
      return (request, next) => {
        if (!isMessageLookup(request)) return next(request);
        return at(authorizationOf(request), async (position, first) => {
          const response = await next(request);
          const other = position > 0 ? await first : response;
          return isSuccess(response) && isSuccess(other) ? { ...response, body: other.body } : response;
        });
      };
    },
  ),
  stateful(
    "AUTH-2",
    "of two lookups of one path at the same time with different keys both are for the first key",
    () => {
      const at = together();
      const running = new Map<string, string>();
      return (request, next) => {
        if (request.method !== "GET") return next(request);
        return at(request.path, async (position) => {
          if (position === 0) running.set(request.path, authorizationOf(request));
          const authorization = running.get(request.path) ?? authorizationOf(request);
          const response = await next({ ...request, headers: { ...request.headers, authorization } });
          return response.status === 401 ? next(request) : response;
        });
      };
    },
  ),
  stateful(
    "BATCH-13",
    "of two batches at the same time only the first message of the second is stored",
    () => {
      const at = together();
      return (request, next) => {
        if (!isBatch(request) || scopedKey(request) !== undefined) return next(request);
        return at(authorizationOf(request), async (position) => {
          if (position === 0) return next(request);
          const emails = listOf(objectOf(request.body).emails).map(objectOf);
          const response = await next(withFields(request, { emails: emails.slice(0, 1) }));
          const data = listOf(objectOf(response.body).data);
          const { id = "sched_lost", suppressed = [] } = objectOf(data[0]);
          return isSuccess(response)
            ? {
                ...response,
                body: {
                  data: emails.map((_, index) => ({
                    id: index === 0 ? id : `${String(id)}${index}`,
                    suppressed,
                  })),
                },
              }
            : response;
        });
      };
    },
  ),
  race(
    "SCHED-9",
    "of two reschedules at once the second one is an hour late",
    (request) => (isReschedule(request) ? sameMessage(request) : undefined),
    () => (request, next, position) => {
      const time = timeOf(objectOf(request.body).scheduled_at) + hour;
      return next(position > 0 ? withFields(request, { scheduled_at: iso(time) }) : request);
    },
  ),
  beside(
    "LOOK-9",
    "a message that is looked up while it is canceled has no scheduled_at",
    isCancel,
    isMessageLookup,
    messageName,
    async (request, next) => {
      const response = await next(request);
      return withFields(response, { scheduled_at: null });
    },
  ),
  stateful(
    "LIMIT-7",
    "of three sends at once of an account at its ceiling the last one is accepted",
    ({ bearer }) => {
      const at = together();
      return (request, next) => {
        if (!isSend(request) || authorizationOf(request) !== bearer("atCeiling")) return next(request);
        return at("sends", async (position) => {
          const response = await next(request);
          const { to } = objectOf(request.body);
          return position === 2
            ? accepted(response, 202, { id: "msg_ceiling", to, suppressed: [] })
            : response;
        });
      };
    },
  ),
  stateful("IDEM-8", "of equal batches at once with one key both count, although one is a replay", () => {
    const at = together();
    const counted = new Map<string, number>();
    return async (request, next) => {
      const name = authorizationOf(request);
      const key = isBatch(request) ? scopedKey(request) : undefined;
      const response = await (key === undefined ? next(request) : at(key, () => next(request)));
      if (key !== undefined && response.headers["idempotent-replayed"] === "true")
        counted.set(name, (counted.get(name) ?? 0) + recipientsOf(request));
      const { "x-service-monthly-remaining": remaining } = response.headers;
      return remaining === undefined
        ? response
        : withHeaders(response, {
            "x-service-monthly-remaining": String(Math.max(0, Number(remaining) - (counted.get(name) ?? 0))),
          });
    };
  }),
];
