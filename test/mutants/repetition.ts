// Independent faults, kind 8: what holds for the second, but not for the third or tenth; `Allow`; links into private networks.

import {
  another,
  authOf,
  contactOf,
  failure,
  fault,
  idOf,
  isAnySend,
  isBatch,
  isCancel,
  isContactLookup,
  isImmediate,
  isLookup,
  isObject,
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
  mapMemberships,
  messagesOf,
  objectOf,
  pathOf,
  recipientsOf,
  shows,
  success,
  takes,
  textOf,
  timeOf,
  withBody,
  withHeader,
  without,
  withoutKey,
} from "./fault-support.ts";
import type { Mutant, MutantRequest, MutantResponse, RequirementId } from "./mutant.ts";

/** A membership that was unsubscribed, as if it were not. */
const subscribedAgain = (membership: Json): Json => ({
  ...membership,
  status: "subscribed",
  unsubscribed_at: null,
  subscribed_at: membership.subscribed_at ?? membership.unsubscribed_at,
});

/** Counts by name. */
const counter = () => {
  const counts = new Map<string, number>();
  return (name: string): number => {
    const count = (counts.get(name) ?? 0) + 1;
    counts.set(name, count);
    return count;
  };
};
const contactName = (request: MutantRequest): string => `${authOf(request)} ${contactOf(request)}`;
const membershipName = (request: MutantRequest): string =>
  `${contactName(request)} ${String(objectOf(request.body).list_id)}`;

/** `Allow` with other methods on one path. */
const allows = (title: string, path: RegExp, change: (methods: string[]) => string[]): Mutant =>
  shows("HEAD-10", title, (response, request) => {
    const methods = (response.headers.allow ?? "").split(/,\s*/).filter((method) => method !== "");
    return response.status === 405 && path.test(pathOf(request))
      ? withHeader(response, "allow", change(methods).join(", "))
      : response;
  });
const also =
  (...more: string[]) =>
  (methods: string[]): string[] => [...new Set([...methods, ...more])];

/** Links that are taken although they lead into a private network. */
const acceptsLink = (title: string, isTaken: (host: string, link: string) => boolean): Mutant =>
  takes("ATT-9", title, (request) => {
    if (!isSend(request)) return request;
    const hostOf = (link: string): string =>
      /^https:\/\/(?:[^@/]*@)?(\[[^\]]*\]|[^:/?#]*)/i.exec(link)?.[1] ?? "";
    return withBody(request, (body) =>
      Array.isArray(body.attachments)
        ? {
            ...body,
            attachments: body.attachments.map((one) => {
              const link = textOf(objectOf(one).path);
              return link !== "" && isTaken(hostOf(link), link)
                ? { ...without(objectOf(one), "path"), content: "cHJpdmF0ZQ==" }
                : one;
            }),
          }
        : body,
    );
  });

/** Lets a key be used for some requests only, then treats it as new. */
const replaysUpTo = (most: number, title: string, applies: (request: MutantRequest) => boolean): Mutant =>
  fault("IDEM-8", title, () => {
    const count = counter();
    const bodies = new Map<string, string>();
    return (request, next) => {
      if (!applies(request) || keyOf(request) === undefined) return next(request);
      const body = JSON.stringify(request.body) ?? "";
      const first = bodies.get(keyed(request)) ?? body;
      bodies.set(keyed(request), first);
      return next(first === body && count(keyed(request)) > most ? withoutKey(request) : request);
    };
  });

/** Memberships after a number of writes of one contact. */
const afterWrites = (
  requirement: RequirementId,
  title: string,
  nth: number,
  change: (request: MutantRequest) => MutantRequest,
): Mutant =>
  fault(requirement, title, () => {
    const count = counter();
    return (request, next) =>
      next(isUpsert(request) && count(membershipName(request)) >= nth ? change(request) : request);
  });

export const repetitionMutants: Mutant[] = [
  // Source: from experience (the tags of the last two versions are merged)
  fault("CONT-16", "the third write of a contact with tags removes the tags of the first", () => {
    const writes = new Map<string, unknown[][]>();
    return async (request, next) => {
      const { tags } = objectOf(request.body);
      const response = await next(request);
      if (isUpsert(request) && isSuccess(response) && Array.isArray(tags) && !isReplay(response))
        writes.set(contactName(request), [...(writes.get(contactName(request)) ?? []), tags]);
      const all = writes.get(contactName(request)) ?? [];
      if (all.length < 3) return response;
      const kept = new Set(all.slice(-2).flat());
      const lost = new Set(
        all
          .slice(0, -2)
          .flat()
          .filter((tag) => !kept.has(tag)),
      );
      return mapMemberships(response, request, (membership) => ({
        ...membership,
        tags: listOf(membership.tags).filter((tag) => !lost.has(tag)),
      }));
    };
  }),
  // Source: from experience (the cache of known members)
  fault("CONT-2", "the fifth write of a contact returns 201 again", () => {
    const count = counter();
    return async (request, next) => {
      const response = await next(request);
      return isUpsert(request) &&
        isSuccess(response) &&
        !isReplay(response) &&
        count(membershipName(request)) === 5
        ? { ...response, status: 201 }
        : response;
    };
  }),
  // Source: from experience (an empty name in the form clears it)
  afterWrites("MEMB-16", "from the third write on, a name that is left out is cleared", 3, (request) =>
    withBody(request, (body) => ("first_name" in body ? body : { ...body, first_name: "" })),
  ),
  // Source: knadh/listmonk#325 (attributes are replaced or ignored)
  fault("MEMB-7", "from the third write on, custom fields that are left out are cleared", () => {
    const count = counter();
    const known = new Map<string, Record<string, unknown>>();
    return (request, next) => {
      if (!isUpsert(request)) return next(request);
      const name = contactName(request);
      const { fields } = objectOf(request.body);
      const before = known.get(name) ?? {};
      known.set(name, { ...before, ...objectOf(fields) });
      if (count(name) < 3 || !isObject(fields) || Object.keys(fields).length === 0) return next(request);
      const cleared = Object.fromEntries(Object.keys(before).map((key) => [key, null]));
      return next(withBody(request, (body) => ({ ...body, fields: { ...cleared, ...fields } })));
    };
  }),
  // Source: from experience (null is remembered as done)
  fault("CONT-13", "a custom field can be cleared once: the second null leaves its value", () => {
    const count = counter();
    return (request, next) => {
      const { fields } = objectOf(request.body);
      if (!isUpsert(request) || !isObject(fields)) return next(request);
      const kept = Object.entries(fields).filter(
        ([key, value]) => value !== null || count(`${contactName(request)} ${key}`) === 1,
      );
      return next(withBody(request, (body) => ({ ...body, fields: Object.fromEntries(kept) })));
    };
  }),
  // Source: from experience (a cached response is removed when it is read)
  replaysUpTo(2, "the third use of a key of a scheduled send is scheduled", isScheduled),
  // Source: from experience (a cached response is removed when it is read)
  replaysUpTo(2, "the third use of a key of a batch is sent", isBatch),
  // Source: from experience (a limited number of uses)
  replaysUpTo(9, "the tenth use of a key of an immediate send is sent", isImmediate),
  // Source: from experience (the conflict replaces the record)
  fault("IDEM-2", "the second request with the key of another one is accepted", () => {
    const count = counter();
    return async (request, next) => {
      const response = await next(request);
      const isConflict =
        response.status === 409 && objectOf(objectOf(response.body).error).type === "idempotency_conflict";
      return isConflict && count(keyed(request)) === 2 ? next(withoutKey(request)) : response;
    };
  }),
  // Source: from experience (a key of a replayed request is compared without its path and body)
  fault("IDEM-2", "after a replay a request with the same key and another body is replayed too", () => {
    const replayed = new Map<string, MutantResponse>();
    return async (request, next) => {
      const response = await next(request);
      if (isReplay(response)) replayed.set(keyed(request), response);
      return response.status === 409 && keyOf(request) !== undefined
        ? (replayed.get(keyed(request)) ?? response)
        : response;
    };
  }),
  // Source: pentacent/keila#11 (rescheduling)
  fault("SCHED-9", "the third rescheduling of a message has no effect", () => {
    const count = counter();
    return async (request, next) => {
      if (!isReschedule(request) || count(`${authOf(request)} ${idOf(request)}`) !== 3) return next(request);
      const record = await next(another(request, "GET", request.path));
      return objectOf(record.body).status === "scheduled"
        ? success(record, 200, {
            id: idOf(request),
            status: "scheduled",
            scheduled_at: objectOf(request.body).scheduled_at,
          })
        : next(request);
    };
  }),
  // Source: chandshy/mailpouch#327 (a cancellation that a restart undoes)
  fault("SCHED-14", "a message that was rescheduled and then canceled is sent", ({ now }) => {
    const moved = new Set<string>();
    const canceled = new Map<string, number>();
    return async (request, next) => {
      const id = idOf(request);
      if (isCancel(request) && moved.has(id) && !canceled.has(id)) {
        const record = await next(another(request, "GET", request.path));
        if (objectOf(record.body).status !== "scheduled") return next(request);
        canceled.set(id, timeOf(objectOf(record.body).scheduled_at));
        return success(record, 200, { id, status: "canceled" });
      }
      const response = await next(request);
      if (isReschedule(request) && isSuccess(response)) moved.add(id);
      return isLookup(request) && isSuccess(response) && now() < (canceled.get(id) ?? 0)
        ? { ...response, body: { ...objectOf(response.body), status: "canceled" } }
        : response;
    };
  }),
  // Source: from experience (a switch instead of a setting)
  fault("UNSUB-10", "a second unsubscribe from the same list subscribes again", () => {
    const left = new Map<string, number>();
    return async (request, next) => {
      const response = await next(request);
      const list = objectOf(request.body).list_id;
      const name = `${contactName(request)} ${String(list)}`;
      if (isUnsubscribe(request) && list !== undefined && isSuccess(response))
        left.set(name, (left.get(name) ?? 0) + 1);
      if (isUnsubscribe(request) && list === undefined) left.clear();
      return mapMemberships(response, request, (membership) =>
        (left.get(`${contactName(request)} ${String(membership.list_id)}`) ?? 0) % 2 === 0 &&
        left.has(`${contactName(request)} ${String(membership.list_id)}`)
          ? subscribedAgain(membership)
          : membership,
      );
    };
  }),
  // Source: mailchimp/mc-magento2#696 (subscribed again after an unsubscribe)
  fault("MEMB-17", "the third post of a contact who unsubscribed subscribes it", () => {
    const count = counter();
    const back = new Set<string>();
    return async (request, next) => {
      const response = await next(request);
      const name = membershipName(request);
      const body = objectOf(response.body);
      if (isUpsert(request) && response.status === 200 && body.status === "unsubscribed" && count(name) === 3)
        back.add(name);
      return mapMemberships(response, request, (membership) =>
        back.has(`${contactName(request)} ${String(membership.list_id)}`) &&
        membership.status === "unsubscribed"
          ? subscribedAgain(membership)
          : membership,
      );
    };
  }),
  // Source: knadh/listmonk#2987 (a confirmed subscriber becomes unconfirmed)
  fault("MEMB-16", "the second post of a confirmed contact makes it pending", () => {
    const count = counter();
    const pending = new Set<string>();
    return async (request, next) => {
      const response = await next(request);
      const name = membershipName(request);
      if (isUpsert(request) && response.status === 200 && objectOf(request.body).list_id === 1)
        if (objectOf(response.body).status === "subscribed" && count(name) === 2) pending.add(name);
      return mapMemberships(response, request, (membership) =>
        pending.has(`${contactName(request)} ${String(membership.list_id)}`) &&
        membership.status === "subscribed"
          ? { ...membership, status: "pending", subscribed_at: null }
          : membership,
      );
    };
  }),
  // Source: BasedHardware/omi#10164 (a smaller limit in each window after the first)
  fault("LIMIT-1", "in the minute after the limit was reached 100 requests are allowed", ({ now }) => {
    const windows = new Map<string, { reached: number; times: number[] }>();
    return async (request, next) => {
      const window = windows.get(authOf(request)) ?? { reached: 0, times: [] };
      windows.set(authOf(request), window);
      window.times = window.times.filter((time) => time > now() - 60_000);
      if (
        window.reached > 0 &&
        now() - window.reached < 180_000 &&
        now() - window.reached > 1000 &&
        window.times.length >= 100
      )
        return withHeader(failure(429, "rate_limited"), "retry-after", "60");
      const response = await next(request);
      if (isRateLimited(response)) window.reached = now();
      else if (isSuccess(response)) window.times.push(now());
      return response;
    };
  }),
  // Source: from experience (responses from a cache are not limited)
  fault("LIMIT-1", "a lookup beyond the limit gets the response to the one before", () => {
    const cached = new Map<string, MutantResponse>();
    return async (request, next) => {
      const response = await next(request);
      const name = `${authOf(request)} ${request.path}`;
      if (request.method !== "GET") return response;
      if (isSuccess(response)) cached.set(name, response);
      return isRateLimited(response) ? (cached.get(name) ?? response) : response;
    };
  }),
  // Source: from experience (batches have a limiter of their own)
  fault("LIMIT-3", "a batch is never limited, but not sent either", () => async (request, next) => {
    const response = await next(request);
    if (!isBatch(request) || !isRateLimited(response)) return response;
    const data = messagesOf(request).map((_, index) => ({ id: `sched_unlimited_${index}`, suppressed: [] }));
    const made = success(response, 202, { data });
    return withHeader(
      withHeader(made, "x-service-monthly-quota", "50000"),
      "x-service-monthly-remaining",
      "40000",
    );
  }),
  // Source: from experience (a counter for each key)
  fault(
    "HEAD-7",
    "the second key of an account shows a number of remaining requests of its own",
    ({ bearer, now }) => {
      let times: number[] = [];
      return async (request, next) => {
        const response = await next(request);
        if (authOf(request) !== bearer("second") || response.headers["x-ratelimit-remaining"] === undefined)
          return response;
        times = [...times.filter((time) => time > now() - 60_000), now()];
        return withHeader(response, "x-ratelimit-remaining", String(Math.max(0, 120 - times.length)));
      };
    },
  ),
  // Source: from experience (ids from a short sequence)
  fault("HEAD-2", "each tenth request of a key has the request id of the first", () => {
    const count = counter();
    const ids = new Map<string, string>();
    return async (request, next) => {
      const response = await next(request);
      const id = response.headers["x-service-request-id"];
      if (id === undefined || !isSuccess(response)) return response;
      const nth = count(authOf(request));
      if (nth === 1) ids.set(authOf(request), id);
      return nth % 10 === 0
        ? withHeader(response, "x-service-request-id", ids.get(authOf(request)) ?? id)
        : response;
    };
  }),
  // Source: usesend/useSend#337, namuh-eng/opensend#191 (suppression after bounces)
  fault("SIM-2", "after three messages to `bounce` the address is suppressed", () => {
    const count = counter();
    const suppressed = new Set<string>();
    return async (request, next) => {
      const isBounce = (address: unknown): boolean => /^bounce@simulator\./.test(textOf(address));
      const { to } = objectOf(request.body);
      const isOnly = isImmediate(request) && listOf(to).length === 1 && isBounce(listOf(to)[0]);
      if (isOnly && suppressed.has(authOf(request))) return failure(422, "send_rejected");
      const response = await next(request);
      if (isOnly && isSuccess(response) && count(authOf(request)) === 3) suppressed.add(authOf(request));
      return response;
    };
  }),
  // Source: from experience (complaints are reported once a day)
  fault("SIM-3", "of the messages to `complaint` only the first one is complained", () => {
    const first = new Map<string, string>();
    return async (request, next) => {
      const response = await next(request);
      const id = textOf(objectOf(response.body).id);
      const isComplaint = messagesOf(request)
        .flatMap(recipientsOf)
        .some((one) => /^complaint@/.test(textOf(one)));
      if (isSend(request) && isSuccess(response) && isComplaint && !first.has(authOf(request)))
        first.set(authOf(request), id);
      const record = objectOf(response.body);
      return isLookup(request) &&
        record.status === "complained" &&
        idOf(request) !== first.get(authOf(request))
        ? { ...response, body: { ...record, status: "delivered", complained_at: null } }
        : response;
    };
  }),
  // Source: from experience (protection against double clicks)
  fault("SEND-1", "an identical send within ten seconds is not sent, even without a key", ({ now }) => {
    const latest = new Map<string, { at: number; response: MutantResponse }>();
    return async (request, next) => {
      if (!isImmediate(request) || keyOf(request) !== undefined) return next(request);
      const name = `${authOf(request)} ${JSON.stringify(request.body) ?? ""}`;
      const before = latest.get(name);
      if (before !== undefined && now() - before.at < 10_000) return before.response;
      const response = await next(request);
      if (isSuccess(response)) latest.set(name, { at: now(), response });
      return response;
    };
  }),
  // Source: from experience (a cache that the other writer does not clear)
  fault(
    "CONT-23",
    "from its second lookup on, a contact is read from a cache that an unsubscribe does not clear",
    () => {
      const cached = new Map<string, unknown>();
      return async (request, next) => {
        const response = await next(request);
        const name = contactName(request);
        if (isUpsert(request)) cached.delete(name);
        if (!isContactLookup(request) || !isSuccess(response)) return response;
        const before = cached.get(name);
        if (before !== undefined) return { ...response, body: before };
        cached.set(name, response.body);
        return response;
      };
    },
  ),
  // Source: from experience (a cache that one of the writers does not clear)
  fault("MEMB-16", "a contact is read from a cache that only the first update clears", () => {
    const cached = new Map<string, unknown>();
    const count = counter();
    return async (request, next) => {
      const response = await next(request);
      const name = contactName(request);
      if (isUpsert(request) && count(name) < 3) cached.delete(name);
      if (isUnsubscribe(request)) cached.delete(name);
      if (!isContactLookup(request) || !isSuccess(response)) return response;
      if (!cached.has(name)) cached.set(name, response.body);
      return { ...response, body: cached.get(name) };
    };
  }),
  // Source: from experience (a scheduled message is looked up in a cache)
  fault("SCHED-9", "the second lookup after a rescheduling shows the old time again", () => {
    const times = new Map<string, unknown>();
    const count = counter();
    return async (request, next) => {
      const id = idOf(request);
      if (isReschedule(request)) {
        const before = await next(another(request, "GET", request.path));
        const response = await next(request);
        if (isSuccess(response)) times.set(id, objectOf(before.body).scheduled_at);
        return response;
      }
      const response = await next(request);
      const old = times.get(id);
      return isLookup(request) &&
        isSuccess(response) &&
        old !== undefined &&
        count(`${id} ${String(old)}`) > 1
        ? { ...response, body: { ...objectOf(response.body), scheduled_at: old } }
        : response;
    };
  }),
  // Source: from experience (the third template of a process is compiled from the first)
  fault("SEND-16", "from the third message on, those from a template have the variables of the first", () => {
    const count = counter();
    const first = new Map<string, unknown>();
    return (request, next) => {
      const { template_id: template, variables } = objectOf(request.body);
      if (!isSend(request) || template === undefined || !isObject(variables) || keyOf(request) !== undefined)
        return next(request);
      const name = `${authOf(request)} ${String(template)}`;
      if (!first.has(name)) first.set(name, variables);
      return next(
        count(name) >= 3 ? withBody(request, (body) => ({ ...body, variables: first.get(name) })) : request,
      );
    };
  }),
  // Source: from experience (quota is read once in a while)
  fault("HEAD-4", "each third send shows the remaining allowance of the one before", () => {
    const count = counter();
    const last = new Map<string, string>();
    return async (request, next) => {
      const response = await next(request);
      const remaining = response.headers["x-service-monthly-remaining"];
      if (!isAnySend(request) || remaining === undefined) return response;
      const before = last.get(authOf(request)) ?? remaining;
      last.set(authOf(request), remaining);
      return count(authOf(request)) % 3 === 0
        ? withHeader(response, "x-service-monthly-remaining", before)
        : response;
    };
  }),
  // Source: restlet/restlet-framework-java#266, eclipse-ee4j/jersey#3837
  allows("`Allow` of a message does not list PATCH", /\/emails\/(?!batch$)[^/]+$/, (methods) =>
    methods.filter((one) => one !== "PATCH"),
  ),
  // Source: from experience (the routes of a prefix are merged)
  allows("`Allow` of an unsubscribe lists the methods of its contact", /\/unsubscribe$/, also("GET")),
  // Source: from experience (the routes of a prefix are merged)
  allows("`Allow` of a contact lists POST too", /\/newsletter\/contacts\/[^/]+$/, also("POST")),
  // Source: michaelJustin/daraja-framework#429 (a default list)
  allows(
    "`Allow` of the account lists all methods",
    /\/api\/v1\/me$/,
    also("POST", "PUT", "PATCH", "DELETE"),
  ),
  // Source: dekobon/big-code-analysis#655
  fault("HEAD-10", "a 405 on the custom fields has no `Allow`", () => async (request, next) => {
    const response = await next(request);
    const { allow: _, ...headers } = response.headers;
    return response.status === 405 && pathOf(request).endsWith("/newsletter/fields")
      ? { ...response, headers }
      : response;
  }),
  // Source: kotx/render#35, cnnic/rdap#50
  fault(
    "HEAD-10",
    "`Allow` is the method that was used on the path of the lists",
    () => async (request, next) => {
      const response = await next(request);
      return response.status === 405 && pathOf(request).endsWith("/newsletter/lists")
        ? withHeader(response, "allow", request.method)
        : response;
    },
  ),
  // Source: OneUptime/oneuptime#2578, documenso/documenso#3166, open-jarvis/OpenJarvis#327
  acceptsLink("a link to a private IPv4 address that is mapped to IPv6 is accepted", (host) =>
    /^\[::ffff:/i.test(host),
  ),
  // Source: Helicone/helicone#5786 (decimal notation)
  acceptsLink("a link to a private address as one decimal number is accepted", (host) =>
    /^\d{8,}$/.test(host),
  ),
  // Source: Helicone/helicone#5786 (hexadecimal and octal notation)
  acceptsLink("a link to a private address in hexadecimal or octal notation is accepted", (host) =>
    /^0x|\.0x|^0\d/i.test(host),
  ),
  // Source: Helicone/helicone#5786 (short notation)
  acceptsLink("a link to 127.1 is accepted", (host) => /^(127|10)\.\d+$/.test(host)),
  // Source: Helicone/helicone#5786 (carrier-grade NAT)
  acceptsLink("a link to an address of a carrier's network, 100.64.0.0/10, is accepted", (host) =>
    /^100\.(6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./.test(host),
  ),
  // Source: odysseus-dev/odysseus#1053 (the unspecified address)
  acceptsLink(
    "a link to the address [::] or 0.0.0.0 is accepted",
    (host) => host === "[::]" || host === "0.0.0.0",
  ),
  // Source: flytohub/flyto-core#20 (NAT64 and 6to4)
  acceptsLink("a link to a private address behind NAT64 or 6to4 is accepted", (host) =>
    /^\[(64:ff9b:|2002:)/i.test(host),
  ),
  // Source: novuhq/novu#10457 (unique local addresses by one prefix)
  acceptsLink("a link to a unique local address that does not begin with fc00 is accepted", (host) =>
    /^\[f[cd](?!00:)/i.test(host),
  ),
  // Source: from experience (the dot at the end of a name)
  acceptsLink("a link to localhost with a dot at its end is accepted", (host) => /^localhost\.$/i.test(host)),
  // Source: from experience (names below localhost)
  acceptsLink("a link to a name below localhost is accepted", (host) => /\.localhost\.?$/i.test(host)),
  // Source: from experience (digits in other forms)
  acceptsLink("a link to a private address in full-width digits is accepted", (host) =>
    /[０-９。．①-⑨]/u.test(host),
  ),
  // Source: from experience (user names in a URL hide the host)
  acceptsLink("a link to a private address after a user name is accepted", (_, link) =>
    /^https:\/\/[^/]*@/i.test(link),
  ),
  // Source: odysseus-dev/odysseus#1053 (metadata of a cloud)
  acceptsLink(
    "a link to the metadata service of a cloud is accepted",
    (host) => host === "169.254.169.254" || /^metadata\.google\.internal\.?$/i.test(host),
  ),
  // Source: from experience (172.16 to 172.31)
  acceptsLink("a link to 172.31.0.0/16 is accepted", (host) => /^172\.31\./.test(host)),
  // Source: from experience (the check stops at the first link)
  fault(
    "ATT-9",
    "a link into a private network is accepted if another attachment comes first",
    () => (request, next) => {
      const { attachments } = objectOf(request.body);
      const isPrivate = (one: unknown): boolean =>
        /^https:\/\/(localhost|127\.|10\.|192\.168\.|169\.254\.|\[)/i.test(textOf(objectOf(one).path));
      if (!isSend(request) || !listOf(attachments).slice(1).some(isPrivate)) return next(request);
      const taken = listOf(attachments).map((one, index) =>
        index > 0 && isPrivate(one) ? { ...without(objectOf(one), "path"), content: "cHJpdmF0ZQ==" } : one,
      );
      return next(withBody(request, (body) => ({ ...body, attachments: taken })));
    },
  ),
];
