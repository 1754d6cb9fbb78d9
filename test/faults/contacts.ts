import { type Fault, type FaultAnswer, type FaultRequest, inAnswers, inRequests, instead } from "./fault.ts";
import {
  addressIn,
  inMemberships,
  inPosts,
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

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");
const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const fieldsOf = (body: Json): Json => objectOf(body.fields);
const consentOf = (body: Json): Json => objectOf(body.consent);

/** What a post is answered with. */
const ofAnswers: Fault[] = [
  inPosts("CONT-1", "adding a contact is answered 200", (answer) => ({ ...answer, status: 200 })),
  inPosts("CONT-1", "adding a contact is answered 202", (answer) =>
    answer.status === 201 ? { ...answer, status: 202 } : undefined,
  ),
  inPosts("CONT-1", "adding a contact to a list with double opt-in is answered 200", (answer, { status }) =>
    answer.status === 201 && status === "pending" ? { ...answer, status: 200 } : undefined,
  ),
  {
    breaks: "CONT-1",
    title: "adding a contact of another list is answered 200",
    between: () => {
      const known = new Set<string>();
      return async (request, next) => {
        const answer = await next(request);
        if (!isPost(request) || !isGood(answer)) return answer;
        const isKnown = known.has(addressIn(request));
        known.add(addressIn(request));
        return isKnown ? { ...answer, status: 200 } : answer;
      };
    },
  },
  inPosts("CONT-2", "updating a contact is answered 201", (answer) => ({ ...answer, status: 201 })),
  inPosts("CONT-2", "updating a pending contact is answered 201", (answer, { status }) =>
    status === "pending" ? { ...answer, status: 201 } : undefined,
  ),
  inPosts("CONT-2", "updating a contact that left is answered 201", (answer, { status }) =>
    status === "unsubscribed" ? { ...answer, status: 201 } : undefined,
  ),
  instead("CONT-2", "posting an address again is refused with 409", (request, next) =>
    isPost(request)
      ? next(request).then((answer) => (answer.status === 200 ? refusal(409, "conflict") : answer))
      : undefined,
  ),
  inPosts("CONT-3", "a post is answered with the record of the contact", (answer, membership) => ({
    ...answer,
    body: { email: membership.email, marketing_blocked: false, lists: [membership] },
  })),
  inPosts("CONT-3", "an update is answered with nothing but ok", (answer) =>
    answer.status === 200 ? { ...answer, body: { ok: true } } : undefined,
  ),
  inPosts("CONT-3", "a post is answered with the membership under data", (answer, membership) => ({
    ...answer,
    body: { data: membership },
  })),
  inPosts("CONT-4", "a contact added through the API need not confirm", (answer, membership) =>
    membership.status === "pending"
      ? { ...answer, body: { ...membership, status: "subscribed", subscribed_at: new Date().toISOString() } }
      : undefined,
  ),
];

/** What a post takes and refuses. */
const ofRequests: Fault[] = [
  takes("CONT-5", "a contact without email", (body) =>
    "email" in body ? undefined : { ...body, email: "nobody@readers.example" },
  ),
  takes("CONT-5", "an email without a domain", (body) =>
    textOf(body.email).endsWith("@") || (body.email && !textOf(body.email).includes("@"))
      ? { ...body, email: "somebody@readers.example" }
      : undefined,
  ),
  takes("CONT-5", "an email without a local part", (body) =>
    textOf(body.email).startsWith("@") ? { ...body, email: `somebody${textOf(body.email)}` } : undefined,
  ),
  refuses("CONT-5", "an email with a plus sign", "email", ({ email }) => textOf(email).includes("+")),
  takes("CONT-6", "a contact without list_id", (body) =>
    "list_id" in body ? undefined : { ...body, list_id: 2 },
  ),
  takes("CONT-6", "a list_id written as a text", (body) =>
    typeof body.list_id === "string" ? { ...body, list_id: 2 } : undefined,
  ),
  takes("CONT-6", "a list_id that is a fraction", (body) =>
    Number.isInteger(body.list_id) || typeof body.list_id !== "number" ? undefined : { ...body, list_id: 2 },
  ),
  takes("CONT-7", "a list of another account", (body) =>
    body.list_id === 11 ? { ...body, list_id: 2 } : undefined,
  ),
  takes("CONT-7", "a list that is not there", (body) =>
    typeof body.list_id === "number" && body.list_id > 1000 ? { ...body, list_id: 2 } : undefined,
  ),
  instead("CONT-7", "a list of another account is answered 403 forbidden", (request) =>
    isPost(request) && objectOf(request.body).list_id === 11 ? refusal(403, "forbidden") : undefined,
  ),
  instead("CONT-7", "a list of another account is answered 422", (request) =>
    isPost(request) && objectOf(request.body).list_id === 11
      ? refusal(422, "invalid_request", "list_id")
      : undefined,
  ),
  ...(["first_name", "last_name"] as const).flatMap((name): Fault[] => {
    const id = name === "first_name" ? "CONT-8" : "CONT-9";
    return [
      takes(id, `a ${name} of 121 characters`, (body) =>
        textOf(body[name]).length > 120 ? { ...body, [name]: textOf(body[name]).slice(0, 120) } : undefined,
      ),
      refuses(id, `a ${name} of 120 characters`, name, (body) => textOf(body[name]).length === 120),
      takes(id, `a ${name} that is a number`, (body) =>
        typeof body[name] === "number" ? { ...body, [name]: String(body[name]) } : undefined,
      ),
    ];
  }),
  ...(
    [
      ["CONT-8", "first_name"],
      ["CONT-9", "last_name"],
    ] as const
  ).map(([id, name]) =>
    refuses(
      id,
      `a ${name} of more than 120 bytes`,
      name,
      (body) => Buffer.byteLength(textOf(body[name])) > 120,
    ),
  ),
  takes("CONT-10", "21 values of custom fields", (body) =>
    Object.keys(fieldsOf(body)).length > 20
      ? { ...body, fields: Object.fromEntries(Object.entries(fieldsOf(body)).slice(0, 20)) }
      : undefined,
  ),
  refuses(
    "CONT-10",
    "20 values of custom fields",
    "fields",
    (body) => Object.keys(fieldsOf(body)).length === 20,
  ),
  inMemberships("CONT-10", "no more than 10 values of custom fields are kept", (membership) => ({
    ...membership,
    fields: Object.fromEntries(Object.entries(fieldsOf(membership)).slice(0, 10)),
  })),
  takes("CONT-11", "a value for a custom field that is not there", (body) => {
    const known = Object.entries(fieldsOf(body)).filter(([key]) => !key.startsWith("contract_"));
    return known.length < Object.keys(fieldsOf(body)).length
      ? { ...body, fields: Object.fromEntries(known) }
      : undefined;
  }),
  {
    breaks: "CONT-11",
    title: "an update with a value for a custom field that is not there is refused, and yet its name is kept",
    between: () => async (request, next) => {
      const answer = await next(request);
      const body = objectOf(request.body);
      if (isPost(request) && answer.status === 422 && "first_name" in body)
        await next({ ...request, body: without(body, "fields") });
      return answer;
    },
  },
  inAnswers("CONT-11", "what is wrong with a custom field is told without the field", (answer, request) => {
    const { error } = objectOf(answer.body);
    const isMeant = isPost(request) && answer.status === 422 && "fields" in objectOf(request.body);
    return isMeant ? { ...answer, body: { error: without(objectOf(error), "fields") } } : undefined;
  }),
  ...misfit("number", (value) => value === "a dozen", "12"),
  ...misfit("date", (value) => value === "next Tuesday", "2026-12-24"),
  ...misfit("date, written as a number,", (value) => value === 20261224, "2026-12-24"),
  ...misfit("url", (value) => value === "no web address", "https://example.com/"),
  {
    breaks: "CONT-13",
    title: "null leaves the value of a custom field as it is",
    between: () => (request, next) => {
      const body = objectOf(request.body);
      const kept = Object.entries(fieldsOf(body)).filter(([, value]) => value !== null);
      const isMeant = isPost(request) && "fields" in body && typeof body.fields === "object";
      return next(isMeant ? { ...request, body: { ...body, fields: Object.fromEntries(kept) } } : request);
    },
  },
  inRequests("CONT-13", "null becomes an empty text in a custom field", (request) =>
    withFields(request, (value) => (value === null ? "" : value)),
  ),
  refuses("CONT-13", "null as the value of a custom field", "fields", (body) =>
    Object.values(fieldsOf(body)).includes(null),
  ),
  inRequests("CONT-13", "null for one custom field clears those that are not named too", (request) => {
    const body = objectOf(request.body);
    if (!isPost(request) || !Object.values(fieldsOf(body)).includes(null)) return undefined;
    const others = { city: null, orders: null, birthday: null, website: null };
    return { ...request, body: { ...body, fields: { ...others, ...fieldsOf(body) } } };
  }),
  takes("CONT-14", "21 tags", (body) =>
    listOf(body.tags).length > 20 ? { ...body, tags: listOf(body.tags).slice(0, 20) } : undefined,
  ),
  refuses("CONT-14", "20 tags", "tags", ({ tags }) => listOf(tags).length === 20),
  takes("CONT-14", "a text in place of tags", (body) =>
    typeof body.tags === "string" ? { ...body, tags: [body.tags] } : undefined,
  ),
  takes("CONT-15", "a tag of 61 characters", (body) =>
    listOf(body.tags).some((tag) => textOf(tag).length > 60)
      ? { ...body, tags: listOf(body.tags).map((tag) => textOf(tag).slice(0, 60)) }
      : undefined,
  ),
  refuses("CONT-15", "a tag of 60 characters", "tags", ({ tags }) =>
    listOf(tags).some((tag) => textOf(tag).length === 60),
  ),
  refuses("CONT-15", "a tag of more than 60 bytes", "tags", ({ tags }) =>
    listOf(tags).some((tag) => Buffer.byteLength(textOf(tag)) > 60),
  ),
  takes("CONT-15", "a tag that is a number", (body) =>
    listOf(body.tags).some((tag) => typeof tag === "number")
      ? { ...body, tags: listOf(body.tags).map(String) }
      : undefined,
  ),
  {
    breaks: "CONT-16",
    title: "tags are replaced instead of added",
    between: () => {
      const last = new Map<string, unknown>();
      return async (request, next) => {
        const answer = await next(request);
        if (!isPost(request) || !isGood(answer)) return answer;
        const { tags } = objectOf(request.body);
        if (Array.isArray(tags)) last.set(addressIn(request), tags);
        const kept = last.get(addressIn(request)) ?? [];
        return { ...answer, body: { ...objectOf(answer.body), tags: kept } };
      };
    },
  },
  inPosts("CONT-16", "an empty list takes all tags away", (answer, membership, { body }) => {
    const { tags } = objectOf(body);
    return Array.isArray(tags) && tags.length === 0
      ? { ...answer, body: { ...membership, tags: [] } }
      : undefined;
  }),
  inPosts("CONT-16", "a post without tags takes all tags away", (answer, membership, { body }) =>
    "tags" in objectOf(body) ? undefined : { ...answer, body: { ...membership, tags: [] } },
  ),
  inRecords("CONT-16", "a contact that is looked up has but one tag", (record) => ({
    ...record,
    lists: membershipsIn({ body: record }).map((one) => ({ ...one, tags: listOf(one.tags).slice(0, 1) })),
  })),
  ...(
    [
      ["CONT-17", "detail"],
      ["CONT-21", "ip"],
      ["CONT-22", "user_agent"],
    ] as const
  ).flatMap(([id, name]): Fault[] => [
    takes(id, `a number as consent.${name}`, (body) =>
      typeof consentOf(body)[name] === "number" ? without(body, "consent") : undefined,
    ),
    refuses(id, `a consent.${name}`, `consent.${name}`, (body) => typeof consentOf(body)[name] === "string"),
  ]),
  refuses(
    "CONT-21",
    "a consent without a detail",
    "consent.detail",
    (body) => "ip" in consentOf(body) && !("detail" in consentOf(body)),
  ),
  refuses("CONT-21", "a consent.ip of version 6", "consent.ip", (body) =>
    textOf(consentOf(body).ip).includes(":"),
  ),
];

function misfit(type: string, isMeant: (value: unknown) => boolean, right: string): Fault[] {
  return [
    inRequests("CONT-12", `takes a value that is no ${type} in a custom field of that type`, (request) =>
      withFields(request, (value) => (isMeant(value) ? right : value)),
    ),
  ];
}

/** A post with the values of its custom fields changed. */
function withFields(request: FaultRequest, change: (value: unknown) => unknown): FaultRequest | undefined {
  const body = objectOf(request.body);
  if (!isPost(request) || typeof body.fields !== "object" || body.fields === null) return undefined;
  const fields = Object.entries(fieldsOf(body)).map(([key, value]) => {
    return [key, change(value)] as const;
  });
  return { ...request, body: { ...body, fields: Object.fromEntries(fields) } };
}

/** What looking a contact up shows. */
const ofRecords: Fault[] = [
  inRecords("CONT-23", "a contact record has no email", (record) => without(record, "email"), isLookUp),
  inRecords(
    "CONT-23",
    "a contact record has an address in place of an email",
    ({ email, ...record }) => ({ ...record, address: email }),
    isLookUp,
  ),
  inRecords("CONT-23", "a contact record stands in data", (record) => ({ data: record }), isLookUp),
  inRequests("CONT-23", "a plus sign in a path is read as a space", (request) =>
    isLookUp(request) ? { ...request, path: request.path.replaceAll("%2B", "%20") } : undefined,
  ),
  inRequests("CONT-23", "the address in a path is not decoded", (request) =>
    isLookUp(request) ? { ...request, path: request.path.replaceAll("%", "%25") } : undefined,
  ),
  inRecords("CONT-24", "marketing_blocked is missing", (record) => without(record, "marketing_blocked")),
  inRecords("CONT-24", "marketing_blocked is a text", (record) => ({
    ...record,
    marketing_blocked: String(record.marketing_blocked),
  })),
  inRecords("CONT-24", "marketing_blocked is always true", (record) => ({
    ...record,
    marketing_blocked: true,
  })),
  inRecords("CONT-24", "marketing_blocked is true after leaving one of two lists", (record) => ({
    ...record,
    marketing_blocked: membershipsIn({ body: record }).some(({ status }) => status === "unsubscribed"),
  })),
  inRecords("CONT-25", "a contact record has the first list only", (record) => ({
    ...record,
    lists: membershipsIn({ body: record }).slice(0, 1),
  })),
  inRecords("CONT-25", "a contact record has each list twice", (record) => ({
    ...record,
    lists: membershipsIn({ body: record }).flatMap((one) => [one, one]),
  })),
  inRecords("CONT-25", "a contact record leaves out the lists that the contact left", (record) => ({
    ...record,
    lists: membershipsIn({ body: record }).filter(({ status }) => status !== "unsubscribed"),
  })),
  inRecords("CONT-25", "a contact record has its lists by their ids", (record) => ({
    ...record,
    lists: Object.fromEntries(membershipsIn({ body: record }).map((one) => [String(one.list_id), one])),
  })),
  inAnswers("CONT-26", "an address that was never seen has an empty record", (answer, request) =>
    isLookUp(request) && answer.status === 404 ? found(answer, empty(request)) : undefined,
  ),
  inAnswers("CONT-26", "unsubscribing an address that was never seen succeeds", (answer, request) =>
    isLeaving(request) && answer.status === 404 && !("list_id" in objectOf(request.body))
      ? found(answer, { ...empty(request), marketing_blocked: true })
      : undefined,
  ),
  instead("CONT-26", "an address that was never seen is answered 422", (request, next) =>
    isLookUp(request)
      ? next(request).then((answer) =>
          answer.status === 404 ? refusal(422, "invalid_request", "email") : answer,
        )
      : undefined,
  ),
  {
    breaks: "CONT-26",
    title: "a contact is found with the key of another account",
    between:
      ({ bearer }) =>
      (request, next) => {
        const isOther = isLookUp(request) && request.headers.authorization === bearer("otherAccount");
        return next(
          isOther ? { ...request, headers: { ...request.headers, authorization: bearer("full") } } : request,
        );
      },
  },
  {
    breaks: "CONT-26",
    title: "a contact is unsubscribed with the key of another account",
    between:
      ({ bearer }) =>
      (request, next) => {
        const isOther = isLeaving(request) && request.headers.authorization === bearer("otherAccount");
        const headers = isOther ? { ...request.headers, authorization: bearer("full") } : request.headers;
        return next({ ...request, headers });
      },
  },
  {
    breaks: "CONT-26",
    title: "an address is kept although the post was refused",
    between: () => async (request, next) => {
      const answer = await next(request);
      if (isPost(request) && answer.status === 404)
        await next({ ...request, body: { email: addressIn(request), list_id: 2 } });
      return answer;
    },
  },
];

const empty = (request: FaultRequest): Json => ({
  email: addressIn(request),
  marketing_blocked: false,
  lists: [],
});

/** An answer of success in place of a refusal, which says nothing of the request limit. */
const found = ({ headers, ...answer }: FaultAnswer, body: Json): FaultAnswer => ({
  ...answer,
  status: 200,
  headers: { ...headers, "x-ratelimit-limit": "100000", "x-ratelimit-remaining": "99000" },
  body,
});

export const contactsFaults: Fault[] = [...ofAnswers, ...ofRequests, ...ofRecords];
