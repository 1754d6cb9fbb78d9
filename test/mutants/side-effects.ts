// Effects of events and changes on others than the one concerned: messages, contacts and accounts.

import { idOf, isBatch, isCancel, isMessageLookup, isScheduled, isSend, stateful } from "./email.ts";
import {
  after,
  another,
  contactPath,
  isAboutContact,
  isAnySend,
  messagePath,
  showsContact,
  withBody,
} from "./fault-support.ts";
import { authorizationOf } from "./history.ts";
import { type Mutant, remembers, takes } from "./mutant.ts";
import {
  emailOf,
  errorResponse,
  isContactLookup,
  isSuccess,
  isUnsubscribe,
  isUpsert,
  type Json,
  listOf,
  objectOf,
  textOf,
} from "./newsletter.ts";
import { withOwners } from "./rejected-effects.ts";
import { isError, sentMessages, withFields, withKey } from "./requests.ts";
import { withoutKey } from "./same-key.ts";

export const sideEffectMutants: Mutant[] = [
  // Source: Nosdesk/Nosdesk#331 (no tenant in the predicate)
  after(
    "AUTH-2",
    "a contact for the list of another account is added to that account",
    (request, response) => isUpsert(request) && response.status === 404,
    (request, _response, next, { bearer }) =>
      [bearer("full"), bearer("otherAccount")]
        .filter((one) => one !== authorizationOf(request))
        .reduce<Promise<unknown>>(async (before, one) => {
          await before;
          return next(withKey(withoutKey(request), one));
        }, Promise.resolve()),
  ),
  // Source: Nosdesk/Nosdesk#331
  stateful(
    "AUTH-2",
    "the message of another account is canceled although the response is 404",
    withOwners((owners) => async (request, next) => {
      const response = await next(request);
      const owner = isCancel(request) && response.status === 404 ? owners.get(idOf(request)) : undefined;
      if (owner !== undefined && owner !== authorizationOf(request)) await next(withKey(request, owner));
      return response;
    }),
  ),
  // Source: usesend/useSend#337 (every address of the message is suppressed)
  stateful(
    "SEND-34",
    "after a bounce the recipients in `cc` of the message are suppressed too",
    ({ control, bearer }) => {
      const copies = new Map<string, unknown[]>();
      return async (request, next) => {
        const response = await next(request);
        const id = textOf(objectOf(response.body).id);
        const { cc } = objectOf(request.body);
        if (isSend(request) && isSuccess(response) && authorizationOf(request) === bearer("full"))
          copies.set(id, listOf(cc));
        if (!isMessageLookup(request) || objectOf(response.body).status !== "bounced") return response;
        for (const email of copies.get(id) ?? [])
          await control("POST", "/sandbox/suppress", { email, reason: "hard bounce" });
        copies.delete(id);
        return response;
      };
    },
  ),
  // Source: hexclave/hexclave#1341 (an event is attributed to another message)
  stateful("SIM-3", "the message after a bounced one in a batch is shown as bounced too", () => {
    const before = new Map<string, string>();
    return async (request, next) => {
      const response = await next(request);
      if (isBatch(request) && isSuccess(response)) {
        const ids = listOf(objectOf(response.body).data).map((entry) => textOf(objectOf(entry).id));
        for (const [index, id] of ids.entries()) before.set(id, ids[index - 1] ?? "");
      }
      const other = isMessageLookup(request) && isSuccess(response) ? before.get(idOf(request)) : undefined;
      if (!other) return response;
      const { status, bounced_at, bounce, events } = objectOf(
        (await next(another(request, "GET", messagePath(other)))).body,
      );
      return status === "bounced"
        ? withFields(response, {
            status,
            delivered_at: null,
            complained_at: null,
            bounced_at,
            bounce,
            events,
          })
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
      if (authorizationOf(request) !== bearer("full")) return;
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
      const other =
        authorizationOf(request) === bearer("otherAccount") ? bearer("full") : bearer("otherAccount");
      return next(withKey(request, other));
    },
  ),
  // Source: from experience (one table of people for all accounts)
  remembers("AUTH-2", "the names of a contact are shared with another account that knows the address", () => {
    const names = new Map<string, Json>();
    return (response, request) => {
      if (!isSuccess(response)) return response;
      const { first_name, last_name } = objectOf(request.body);
      if (isUpsert(request) && (first_name !== undefined || last_name !== undefined))
        names.set(emailOf(request), { auth: authorizationOf(request), first_name, last_name });
      const { auth, ...latest } = names.get(emailOf(request)) ?? {};
      if (!isContactLookup(request) || auth === undefined || auth === authorizationOf(request))
        return response;
      const { lists } = objectOf(response.body);
      // The keys of one account see the same names anyway.
      const given = Object.fromEntries(Object.entries(latest).filter(([, value]) => value !== undefined));
      return withFields(response, { lists: listOf(lists).map((one) => ({ ...objectOf(one), ...given })) });
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
      control("POST", "/sandbox/suppress", { email: emailOf(request), reason: "unsubscribe" }),
  ),
  // Source: from experience (an update by time instead of id)
  stateful("SCHED-20", "a cancellation cancels all messages of the account for the same time", () => {
    const times = new Map<string, string>();
    return async (request, next) => {
      const response = await next(request);
      const name = (id: string) => `${authorizationOf(request)} ${id}`;
      if (isScheduled(request) && isSuccess(response))
        times.set(name(textOf(objectOf(response.body).id)), textOf(objectOf(response.body).scheduled_at));
      if (!isCancel(request) || !isSuccess(response)) return response;
      const time = times.get(name(idOf(request)));
      for (const [other, otherTime] of times)
        if (time !== undefined && otherTime === time && other !== name(idOf(request)))
          await next(
            another(request, "DELETE", messagePath(other.slice(authorizationOf(request).length + 1))),
          );
      return response;
    };
  }),
  // Source: from experience (an underscore in an SQL LIKE)
  stateful("UNSUB-1", "an underscore in the email address of an unsubscribe stands for any character", () => {
    const known = new Set<string>();
    return async (request, next) => {
      if (isUpsert(request)) known.add(emailOf(request));
      const response = await next(request);
      const email = emailOf(request);
      if (!isUnsubscribe(request) || !isSuccess(response) || !email.includes("_")) return response;
      const pattern = new RegExp(`^${email.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replaceAll("_", ".")}$`);
      for (const other of known)
        if (other !== email && pattern.test(other))
          await next({ ...request, path: `${contactPath(other)}/unsubscribe` });
      return response;
    };
  }),
  // Source: mozilla/fxa-content-server#2524 (addresses with a plus sign are mixed up)
  stateful(
    "UNSUB-1",
    "an unsubscribe of an address with a plus sign also unsubscribes the address without it",
    () => async (request, next) => {
      const response = await next(request);
      const email = emailOf(request);
      if (isUnsubscribe(request) && isSuccess(response) && email.includes("+"))
        await next({ ...request, path: `${contactPath(email.replace(/\+[^@]*/, ""))}/unsubscribe` });
      return response;
    },
  ),
  // Source: from experience (a list that is not found is taken for none)
  stateful(
    "UNSUB-5",
    "an unsubscribe from a list of the account that the contact is not on ends its other memberships",
    () => async (request, next) => {
      const { list_id: list, ...body } = objectOf(request.body);
      const response = await next(request);
      if (!isUnsubscribe(request) || response.status !== 404) return response;
      const { body: known } = await next(another(request, "GET", "/api/v1/newsletter/lists"));
      // A key without that ability sees no lists.
      const isOwn = listOf(objectOf(known).lists).some((one) => objectOf(one).id === list);
      if (isOwn) await next({ ...request, body });
      return response;
    },
  ),
  // Source: knadh/listmonk#2987 (a confirmed subscriber becomes unconfirmed)
  remembers("CONT-25", "an update on one list makes the membership of another list pending again", () => {
    const pending = new Set<string>();
    return (response, request) => {
      const who = `${authorizationOf(request)} ${emailOf(request)}`;
      if (isUpsert(request) && response.status === 201 && objectOf(response.body).status === "pending")
        pending.add(who);
      if (!isAboutContact(request) || !isSuccess(response) || !pending.has(who)) return response;
      const lists = listOf(objectOf(response.body).lists).map(objectOf);
      const isWaiting = lists.some(({ status }) => status === "pending");
      return withFields(response, {
        lists: isWaiting
          ? lists.map((one) =>
              one.status === "subscribed" ? { ...one, status: "pending", subscribed_at: null } : one,
            )
          : lists,
      });
    };
  }),
  // Source: from experience (a confirmation is one of the person, not of the list)
  showsContact(
    "UNSUB-10",
    "a contact that has confirmed on one list is back on the lists that it left",
    (contact) => {
      const lists = listOf(contact.lists).map(objectOf);
      const hasConfirmed = lists.some(({ list_id, status }) => list_id === 1 && status === "subscribed");
      const back = { status: "subscribed", unsubscribed_at: null };
      return hasConfirmed
        ? {
            ...contact,
            lists: lists.map((one) => (one.status === "unsubscribed" ? { ...one, ...back } : one)),
          }
        : contact;
    },
  ),
  // Source: from experience (an update without the condition for the contact)
  remembers("MEMB-15", "the confirmation of one contact confirms all that are pending", () => {
    const pending = new Set<string>();
    const confirmed = new Set<string>();
    return (response, request) => {
      const email = emailOf(request);
      if (isUpsert(request) && objectOf(response.body).status === "pending") pending.add(email);
      if (!isContactLookup(request) || !isSuccess(response)) return response;
      const isIn =
        (status: string) =>
        ({ list_id, status: own }: Json) =>
          list_id === 1 && own === status;
      const lists = listOf(objectOf(response.body).lists).map(objectOf);
      if (pending.delete(email) && lists.some(isIn("subscribed")))
        for (const one of pending) confirmed.add(one);
      const subscribed_at = new Date().toISOString();
      return withFields(response, {
        lists: lists.map((one) =>
          isIn("pending")(one) && confirmed.has(email)
            ? { ...one, status: "subscribed", subscribed_at }
            : one,
        ),
      });
    };
  }),
  // Source: from experience (a failed attempt locks the key)
  stateful("AUTH-12", "a request without a key makes the next request of the account fail", ({ bearer }) => {
    let failed = false;
    return (request, next) => {
      if (authorizationOf(request) === "") {
        failed = true;
        return next(request);
      }
      if (!failed || authorizationOf(request) !== bearer("second")) return next(request);
      failed = false;
      return errorResponse(401, "unauthorized");
    };
  }),
  // Source: from experience (the domain of a rejected sender is stopped)
  stateful("ERR-9", "a send from a stopped domain stops the next one from another domain", () => {
    const stopped = new Set<string>();
    return async (request, next) => {
      if (isAnySend(request) && stopped.delete(authorizationOf(request)))
        return errorResponse(409, "send_rejected");
      const response = await next(request);
      const isStopped = sentMessages(request).some(({ from }) => /@stopped\./.test(textOf(from)));
      if (isError(response, 409, "send_rejected") && isStopped) stopped.add(authorizationOf(request));
      return response;
    };
  }),
  // Source: usesend/useSend#337
  takes("SEND-35", "the recipient after a suppressed one is skipped too", (request) => {
    const { to } = objectOf(request.body);
    const index = listOf(to).findIndex((address) =>
      /^(gone|angry|left)@readers\.example$/.test(textOf(address)),
    );
    return isSend(request) && index >= 0 && listOf(to).length > index + 2
      ? withBody(request, (body) => ({ ...body, to: listOf(to).toSpliced(index + 1, 1) }))
      : request;
  }),
];
