import {
  changeRequests,
  changeResponses,
  type Mutant,
  type MutantRequest,
  respondInstead,
} from "./mutant.ts";
import {
  acceptsContact,
  changeContacts,
  changeMemberships,
  changeUpserts,
  emailOf,
  errorResponse,
  fieldsOf,
  isContactLookup,
  isUnsubscribe,
  isUpsert,
  type Json,
  listOf,
  membershipsOf,
  objectOf,
  rejectsContact,
  textOf,
  without,
} from "./newsletter.ts";

import { mistakesKey } from "./requests.ts";

const consentOf = (body: Json): Json => objectOf(body.consent);

/** Valid and invalid upserts. */
export const contactRequestsMutants: Mutant[] = [
  acceptsContact("CONT-5", "a contact without email", (body) =>
    "email" in body ? undefined : { ...body, email: "nobody@readers.example" },
  ),
  acceptsContact("CONT-5", "an email without a domain", (body) =>
    textOf(body.email).endsWith("@") || (body.email && !textOf(body.email).includes("@"))
      ? { ...body, email: "somebody@readers.example" }
      : undefined,
  ),
  acceptsContact("CONT-5", "an email without a local part", (body) =>
    textOf(body.email).startsWith("@") ? { ...body, email: `somebody${textOf(body.email)}` } : undefined,
  ),
  rejectsContact("CONT-5", "an email with a plus sign", "email", ({ email }) => textOf(email).includes("+")),
  acceptsContact("CONT-6", "a contact without list_id", (body) =>
    "list_id" in body ? undefined : { ...body, list_id: 2 },
  ),
  acceptsContact("CONT-6", "a list_id as text", (body) =>
    typeof body.list_id === "string" ? { ...body, list_id: 2 } : undefined,
  ),
  acceptsContact("CONT-6", "a list_id that is a fraction", (body) =>
    Number.isInteger(body.list_id) || typeof body.list_id !== "number" ? undefined : { ...body, list_id: 2 },
  ),
  acceptsContact("CONT-7", "a nonexistent list", (body) =>
    typeof body.list_id === "number" && body.list_id > 1000 ? { ...body, list_id: 2 } : undefined,
  ),
  ...(["first_name", "last_name"] as const).flatMap((name): Mutant[] => {
    const id = name === "first_name" ? "CONT-8" : "CONT-9";
    return [
      acceptsContact(id, `a ${name} of 121 characters`, (body) =>
        textOf(body[name]).length > 120 ? { ...body, [name]: textOf(body[name]).slice(0, 120) } : undefined,
      ),
      acceptsContact(id, `a ${name} that is a number`, (body) =>
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
    rejectsContact(
      id,
      `a ${name} of more than 120 bytes`,
      name,
      (body) => Buffer.byteLength(textOf(body[name])) > 120,
    ),
  ),
  acceptsContact("CONT-14", "21 tags", (body) =>
    listOf(body.tags).length > 20 ? { ...body, tags: listOf(body.tags).slice(0, 20) } : undefined,
  ),
  rejectsContact("CONT-14", "20 tags", "tags", ({ tags }) => listOf(tags).length === 20),
  acceptsContact("CONT-14", "a text as tags", (body) =>
    typeof body.tags === "string" ? { ...body, tags: [body.tags] } : undefined,
  ),
  rejectsContact("CONT-15", "a tag of more than 60 bytes", "tags", ({ tags }) =>
    listOf(tags).some((tag) => Buffer.byteLength(textOf(tag)) > 60),
  ),
  acceptsContact("CONT-15", "a tag that is a number", (body) =>
    listOf(body.tags).some((tag) => typeof tag === "number")
      ? { ...body, tags: listOf(body.tags).map(String) }
      : undefined,
  ),
  changeUpserts("CONT-16", "an empty list removes all tags", (response, membership, { body }) => {
    const { tags } = objectOf(body);
    return Array.isArray(tags) && tags.length === 0
      ? { ...response, body: { ...membership, tags: [] } }
      : undefined;
  }),
  changeUpserts("CONT-16", "an update without tags removes all tags", (response, membership, { body }) =>
    "tags" in objectOf(body) ? undefined : { ...response, body: { ...membership, tags: [] } },
  ),
  changeContacts("CONT-16", "a contact record has only one tag", (record) => ({
    ...record,
    lists: membershipsOf({ body: record }).map((one) => ({ ...one, tags: listOf(one.tags).slice(0, 1) })),
  })),
  ...(
    [
      ["CONT-17", "detail"],
      ["CONT-21", "ip"],
      ["CONT-22", "user_agent"],
    ] as const
  ).flatMap(([id, name]): Mutant[] => [
    acceptsContact(id, `a number as consent.${name}`, (body) =>
      typeof consentOf(body)[name] === "number" ? without(body, "consent") : undefined,
    ),
    rejectsContact(
      id,
      `a consent.${name}`,
      `consent.${name}`,
      (body) => typeof consentOf(body)[name] === "string",
    ),
  ]),
  rejectsContact("CONT-21", "an IPv6 address as consent.ip", "consent.ip", (body) =>
    textOf(consentOf(body).ip).includes(":"),
  ),
];

/** Responses to upserts. */
export const contactsMutants: Mutant[] = [
  changeUpserts(
    "CONT-1",
    "adding a contact to a list with double opt-in returns 200",
    (response, { status }) =>
      response.status === 201 && status === "pending" ? { ...response, status: 200 } : undefined,
  ),
  changeUpserts("CONT-2", "updating a pending contact returns 201", (response, { status }) =>
    status === "pending" ? { ...response, status: 201 } : undefined,
  ),
  changeUpserts("CONT-2", "updating an unsubscribed contact returns 201", (response, { status }) =>
    status === "unsubscribed" ? { ...response, status: 201 } : undefined,
  ),
  changeUpserts("CONT-3", "an upsert returns the contact record", (response, membership) => ({
    ...response,
    body: { email: membership.email, marketing_blocked: false, lists: [membership] },
  })),
  changeUpserts("CONT-3", "an update returns only ok", (response) =>
    response.status === 200 ? { ...response, body: { ok: true } } : undefined,
  ),
  changeUpserts("CONT-4", "a contact added through the API is not pending", (response, membership) =>
    membership.status === "pending"
      ? {
          ...response,
          body: { ...membership, status: "subscribed", subscribed_at: new Date().toISOString() },
        }
      : undefined,
  ),
];

/** Mutants of contacts that only show in some cases. */
export const contactCasesMutants: Mutant[] = [
  changeResponses(
    "MEMB-17",
    "an upsert with the email address in upper case subscribes again",
    (response, request) => {
      const [email, body] = [textOf(objectOf(request.body).email), objectOf(response.body)];
      return isUpsert(request) && email !== email.toLowerCase() && body.status === "unsubscribed"
        ? { ...response, body: { ...body, status: "subscribed" } }
        : undefined;
    },
  ),
  changeRequests("LIST-6", "zero is lost in custom fields", (request) => {
    const body = objectOf(request.body);
    const kept = Object.entries(fieldsOf(body)).filter(([, value]) => value !== 0);
    return isUpsert(request) && body.fields !== undefined
      ? { ...request, body: { ...body, fields: Object.fromEntries(kept) } }
      : undefined;
  }),
  respondInstead("LIST-6", "rejects an http URL in custom fields", (request) =>
    isUpsert(request) &&
    Object.values(fieldsOf(objectOf(request.body))).some((value) => textOf(value).startsWith("http:"))
      ? errorResponse(422, "invalid_request", "fields.website")
      : undefined,
  ),
];

/** Values of custom fields in upserts. */
export const contactFieldsMutants: Mutant[] = [
  acceptsContact("CONT-10", "21 values of custom fields", (body) =>
    Object.keys(fieldsOf(body)).length > 20
      ? { ...body, fields: Object.fromEntries(Object.entries(fieldsOf(body)).slice(0, 20)) }
      : undefined,
  ),
  changeMemberships("CONT-10", "at most 10 values of custom fields are kept", (membership) => ({
    ...membership,
    fields: Object.fromEntries(Object.entries(fieldsOf(membership)).slice(0, 10)),
  })),
  misfit("number", (value) => value === "a dozen", "12"),
  misfit("a date as a number", (value) => value === 20261224, "2026-12-24"),
  misfit("url", (value) => value === "no web address", "https://example.com/"),
  changeRequests("CONT-13", "null becomes an empty text in a custom field", (request) =>
    withFields(request, (value) => (value === null ? "" : value)),
  ),
  changeRequests("CONT-13", "null for one custom field clears all that are not sent", (request) => {
    const body = objectOf(request.body);
    if (!isUpsert(request) || !Object.values(fieldsOf(body)).includes(null)) return undefined;
    const others = { city: null, orders: null, birthday: null, website: null };
    return { ...request, body: { ...body, fields: { ...others, ...fieldsOf(body) } } };
  }),
];

function misfit(type: string, applies: (value: unknown) => boolean, right: string): Mutant {
  return changeRequests(
    "CONT-12",
    `accepts a value that is not a ${type} in a custom field of that type`,
    (request) => withFields(request, (value) => (applies(value) ? right : value)),
  );
}

/** An upsert with changed values of custom fields. */
function withFields(request: MutantRequest, change: (value: unknown) => unknown): MutantRequest | undefined {
  const body = objectOf(request.body);
  if (!isUpsert(request) || typeof body.fields !== "object" || body.fields === null) return undefined;
  const fields = Object.entries(fieldsOf(body)).map(([key, value]) => {
    return [key, change(value)] as const;
  });
  return { ...request, body: { ...body, fields: Object.fromEntries(fields) } };
}

/** Contact records. */
export const contactRecordsMutants: Mutant[] = [
  changeContacts(
    "CONT-23",
    "a contact record has no email",
    (record) => without(record, "email"),
    isContactLookup,
  ),
  changeContacts("CONT-23", "a contact record is in data", (record) => ({ data: record }), isContactLookup),
  changeRequests("GEN-13", "a plus sign in a path is decoded as a space", (request) =>
    isContactLookup(request) ? { ...request, path: request.path.replaceAll("%2B", "%20") } : undefined,
  ),
  changeRequests("GEN-13", "a plus sign in the path of an unsubscribe is decoded as a space", (request) =>
    isUnsubscribe(request) ? { ...request, path: request.path.replaceAll("%2B", "%20") } : undefined,
  ),
  changeContacts(
    "CONT-24",
    "marketing_blocked is true after unsubscribing from one of two lists",
    (record) => ({
      ...record,
      marketing_blocked: membershipsOf({ body: record }).some(({ status }) => status === "unsubscribed"),
    }),
  ),
  changeContacts("CONT-25", "a contact record omits unsubscribed lists", (record) => ({
    ...record,
    lists: membershipsOf({ body: record }).filter(({ status }) => status !== "unsubscribed"),
  })),
  mistakesKey("CONT-26", "another account's key finds a contact", {
    from: "otherAccount",
    to: "full",
    on: ["getContact"],
  }),
  mistakesKey("CONT-26", "another account's key unsubscribes a contact", {
    from: "otherAccount",
    to: "full",
    on: ["unsubscribeContact"],
  }),
  {
    requirement: "CONT-26",
    title: "a rejected contact is stored",
    intercept: () => async (request, next) => {
      const response = await next(request);
      if (isUpsert(request) && response.status === 404)
        await next({ ...request, body: { email: emailOf(request), list_id: 2 } });
      return response;
    },
  },
];
