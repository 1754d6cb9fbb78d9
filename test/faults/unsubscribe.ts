import { type Fault, type FaultRequest, inAnswers, inRequests, instead } from "./fault.ts";
import {
  addressIn,
  inRecords,
  isGood,
  isLeaving,
  isLookUp,
  isPost,
  type Json,
  membershipsIn,
  objectOf,
  refusal,
  refuses,
  takes,
  without,
} from "./newsletter.ts";

const isFromAll = (request: FaultRequest): boolean =>
  isLeaving(request) && !("list_id" in objectOf(request.body));
const isFromOne = (request: FaultRequest): boolean =>
  isLeaving(request) && "list_id" in objectOf(request.body);
const back = (one: Json): Json => ({ ...one, status: "subscribed", unsubscribed_at: null });

/** What the record of a contact shows of its memberships, changed. */
const changed =
  (change: (one: Json, index: number, request: FaultRequest) => Json) =>
  (record: Json, request: FaultRequest): Json => ({
    ...record,
    lists: membershipsIn({ body: record }).map((one, index) => change(one, index, request)),
  });

/** The addresses of contacts that left everything change what is answered about them from then on. */
const afterLeaving = (
  breaks: Fault["breaks"],
  title: string,
  change: (record: Json, posts: number) => Json,
): Fault => ({
  breaks,
  title,
  between: () => {
    const left = new Map<string, number>();
    return async (request, next) => {
      const answer = await next(request);
      if (!isGood(answer) || !request.path.startsWith("/api/v1/newsletter/contacts")) return answer;
      const address = addressIn(request);
      const posts = left.get(address);
      if (isFromAll(request)) left.set(address, 0);
      if (posts !== undefined && isPost(request)) left.set(address, posts + 1);
      if (posts === undefined || !isLookUp(request)) return answer;
      return { ...answer, body: change(objectOf(answer.body), posts) };
    };
  },
});

const everything: Fault[] = [
  inRecords(
    "UNSUB-1",
    "leaving everything ends the first membership only",
    changed((one, index) => (index === 0 ? one : back(one))),
    isFromAll,
  ),
  inRecords("UNSUB-1", "leaving everything ends no membership in its answer", changed(back), isFromAll),
  inRecords(
    "UNSUB-1",
    "leaving everything leaves a membership that is yet to be confirmed",
    changed((one) => (one.list_id === 1 && one.subscribed_at === null ? { ...one, status: "pending" } : one)),
    isFromAll,
  ),
  afterLeaving(
    "UNSUB-1",
    "leaving everything ends no membership, which only a look-up shows",
    changedOnly(back),
  ),
  {
    breaks: "UNSUB-1",
    title: "leaving what was left before is answered 404",
    between: () => {
      const left = new Set<string>();
      return (request, next) => {
        if (!isLeaving(request)) return next(request);
        const isAgain = left.has(addressIn(request));
        left.add(addressIn(request));
        return isAgain ? refusal(404, "not_found") : next(request);
      };
    },
  },
  {
    breaks: "UNSUB-1",
    title: "leaving everything passes over a membership that is cleaned",
    between: () => async (request, next) => {
      const answer = await next(request);
      if (!isFromAll(request) || !addressIn(request).startsWith("cleaned@") || !isGood(answer)) return answer;
      return {
        ...answer,
        body: changed((one) => ({ ...one, status: "cleaned" }))(objectOf(answer.body), request),
      };
    },
  },
  inRecords("UNSUB-2", "marketing_blocked is always false", (record) => ({
    ...record,
    marketing_blocked: false,
  })),
  inRecords(
    "UNSUB-2",
    "marketing_blocked is still false in the answer to leaving everything",
    (record) => ({ ...record, marketing_blocked: false }),
    isFromAll,
  ),
  inRecords(
    "UNSUB-2",
    "marketing_blocked shows in the answer to leaving everything, and not when the contact is looked up",
    (record) => ({ ...record, marketing_blocked: false }),
    isLookUp,
  ),
  afterLeaving("UNSUB-2", "a post lifts marketing_blocked", (record, posts) => ({
    ...record,
    marketing_blocked: posts === 0,
  })),
  {
    breaks: "UNSUB-3",
    title: "who left everything is skipped by transactional e-mail",
    between: () => {
      const left = new Set<string>();
      return async (request, next) => {
        const answer = await next(request);
        if (isFromAll(request)) left.add(addressIn(request));
        if (request.path !== "/api/v1/emails" || !isGood(answer)) return answer;
        const { to, suppressed, ...rest } = objectOf(answer.body);
        const all = Array.isArray(to) ? to.map(String) : [];
        const skipped = all.filter((address) => left.has(address));
        if (skipped.length === 0) return answer;
        const kept = all.filter((address) => !left.has(address));
        return {
          ...answer,
          body: { ...rest, to: kept, suppressed: [...(suppressed as string[]), ...skipped] },
        };
      };
    },
  },
  refusesAfter("who left everything can be sent no transactional e-mail", isFromAll),
  refusesAfter("who left one list can be sent no transactional e-mail", isFromOne),
];

/** Sends to those who left are refused. */
function refusesAfter(title: string, isMeant: (request: FaultRequest) => boolean): Fault {
  return {
    breaks: "UNSUB-3",
    title,
    between: () => {
      const left = new Set<string>();
      return (request, next) => {
        if (isMeant(request)) left.add(addressIn(request));
        const { to } = objectOf(request.body);
        const isStopped = request.path === "/api/v1/emails" && Array.isArray(to) && left.has(String(to[0]));
        return isStopped ? refusal(422, "send_rejected") : next(request);
      };
    },
  };
}

function changedOnly(change: (one: Json) => Json): (record: Json) => Json {
  return (record) => ({ ...record, lists: membershipsIn({ body: record }).map(change) });
}

const oneList: Fault[] = [
  inRecords(
    "UNSUB-4",
    "leaving one list is answered with a membership that goes on",
    changed(back),
    isFromOne,
  ),
  inRecords(
    "UNSUB-4",
    "leaving a list before confirming leaves the membership pending",
    changed((one) =>
      one.status === "unsubscribed" && one.subscribed_at === null ? { ...one, status: "pending" } : one,
    ),
    isFromOne,
  ),
  inRecords(
    "UNSUB-4",
    "leaving a list after a complaint leaves the membership as it was",
    changed((one, _, request) =>
      addressIn(request).startsWith("complained@") ? { ...one, status: "complained" } : one,
    ),
    isFromOne,
  ),
  {
    breaks: "UNSUB-4",
    title: "leaving one list does nothing but answer",
    between: () => async (request, next) => {
      if (!isFromOne(request)) return next(request);
      const { list_id } = objectOf(request.body);
      const path = request.path.replace(/\/unsubscribe$/, "");
      const answer = await next({ ...request, method: "GET", path, body: undefined });
      const end = changed((one) =>
        one.list_id === list_id
          ? { ...one, status: "unsubscribed", unsubscribed_at: "2026-01-05T08:00:00Z" }
          : one,
      );
      return isGood(answer) ? { ...answer, body: end(objectOf(answer.body), request) } : answer;
    },
  },
  inRequests("UNSUB-5", "leaving one list leaves all", (request) =>
    isFromOne(request) ? { ...request, body: without(objectOf(request.body), "list_id") } : undefined,
  ),
  inRecords(
    "UNSUB-5",
    "leaving one list is answered with the other as unsubscribed",
    changed((one) => ({ ...one, status: "unsubscribed" })),
    isFromOne,
  ),
  inRecords(
    "UNSUB-5",
    "leaving one list sets unsubscribed_at on the other",
    (record, request) => {
      const at = membershipsIn({ body: record }).find(({ unsubscribed_at }) => unsubscribed_at !== null);
      return changed((one) => ({ ...one, unsubscribed_at: at?.unsubscribed_at ?? null }))(record, request);
    },
    isFromOne,
  ),
  inRecords(
    "UNSUB-5",
    "leaving one list takes the other out of the record",
    (record) => ({
      ...record,
      lists: membershipsIn({ body: record }).filter(({ status }) => status === "unsubscribed"),
    }),
    isFromOne,
  ),
  refuses("UNSUB-6", "leaving without a list_id", "list_id", (body) => !("list_id" in body), isLeaving),
  takes(
    "UNSUB-6",
    "a list_id written as a text",
    wholeNumber((value) => typeof value === "string"),
    isLeaving,
  ),
  takes(
    "UNSUB-6",
    "a list_id that is a fraction",
    wholeNumber((value) => value === 1.5),
    isLeaving,
  ),
  refuses("UNSUB-6", "a list_id", "list_id", ({ list_id }) => Number.isInteger(list_id), isLeaving),
  refuses("UNSUB-7", "a reason", "reason", ({ reason }) => typeof reason === "string", isLeaving),
  refuses("UNSUB-7", "leaving without a reason", "reason", (body) => !("reason" in body), isLeaving),
  takes(
    "UNSUB-7",
    "a reason that is a number",
    (body) => (typeof body.reason === "number" ? { ...body, reason: String(body.reason) } : undefined),
    isLeaving,
  ),
];

function wholeNumber(isMeant: (value: unknown) => boolean): (body: Json) => Json | undefined {
  return (body) => (isMeant(body.list_id) ? { ...body, list_id: 2 } : undefined);
}

const answers: Fault[] = [
  inRecords("UNSUB-9", "leaving is answered with nothing but ok", () => ({ ok: true }), isLeaving),
  inRecords(
    "UNSUB-9",
    "leaving one list is answered with its membership",
    (record) => membershipsIn({ body: record })[0],
    isFromOne,
  ),
  inRecords(
    "UNSUB-9",
    "leaving is answered with the record in data",
    (record) => ({ data: record }),
    isLeaving,
  ),
  inAnswers("UNSUB-9", "leaving is answered 204 without a body", (answer, request) => {
    if (!isLeaving(request) || !isGood(answer)) return undefined;
    const { "content-type": _, ...headers } = answer.headers;
    return { status: 204, headers, body: undefined };
  }),
  afterLeaving("UNSUB-10", "a post undoes leaving everything", (record, posts) =>
    posts === 0 ? record : { ...changedOnly(back)(record), marketing_blocked: false },
  ),
  afterLeaving(
    "UNSUB-10",
    "a post to a further list puts a contact that left everything on it",
    (record, posts) =>
      posts < 2 ? record : changedOnly((one) => (one.list_id === 3 ? back(one) : one))(record),
  ),
  {
    breaks: "UNSUB-10",
    title: "leaving a second list undoes leaving the first",
    between: () => {
      const last = new Map<string, unknown>();
      return async (request, next) => {
        const answer = await next(request);
        if (isFromOne(request)) last.set(addressIn(request), objectOf(request.body).list_id);
        const list = last.get(addressIn(request));
        if (!isLookUp(request) || list === undefined || !isGood(answer)) return answer;
        return {
          ...answer,
          body: changed((one) => (one.list_id === list ? one : back(one)))(objectOf(answer.body), request),
        };
      };
    },
  },
  takes(
    "UNSUB-12",
    "a list of another account",
    (body) => (body.list_id === 11 ? without(body, "list_id") : undefined),
    isLeaving,
  ),
  takes(
    "UNSUB-12",
    "a list that is not there",
    (body) => (Number(body.list_id) > 1000 ? without(body, "list_id") : undefined),
    isLeaving,
  ),
  instead("UNSUB-12", "a list of another account is answered 422", (request) =>
    isFromOne(request) && objectOf(request.body).list_id === 11
      ? refusal(422, "invalid_request", "list_id")
      : undefined,
  ),
  {
    breaks: "UNSUB-12",
    title: "leaving a list of another account is answered 404, and yet leaves everything",
    between: () => async (request, next) => {
      const answer = await next(request);
      if (isFromOne(request) && objectOf(request.body).list_id === 11) await next({ ...request, body: {} });
      return answer;
    },
  },
];

export const unsubscribeFaults: Fault[] = [...everything, ...oneList, ...answers];
