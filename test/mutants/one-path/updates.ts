import type { Mutant, RequirementId } from "../mutant.ts";
import { fieldsOf, isUpsert, type Json, listOf, objectOf, textOf, without } from "../newsletter.ts";
import { keys, withFieldValues } from "./field-values.ts";
import { authorizationOf, day, hour, iso, withPast } from "./history.ts";
import {
  isSecondUpdate,
  isUpdate,
  isUpperCase,
  joinedAs,
  memberships,
  postResponses,
  posts,
  type WhichPost,
} from "./of-contacts.ts";

const properties = ["first_name", "last_name", "fields", "tags"] as const;

/** Updates that are lost, as in titles. */
const paths: [string, WhichPost][] = [
  ["the second update", isSecondUpdate],
  ["an update of a pending contact", joinedAs("pending")],
  ["an update with the address in upper case", (given) => isUpdate(given) && isUpperCase(given)],
  [
    "an update by another key of the account",
    ({ contact, member, request }) => member !== undefined && contact?.changedBy !== authorizationOf(request),
  ],
  // Of the demo account's fixtures.
  ["an update of a cleaned contact", ({ body }) => body.email === "cleaned@readers.example"],
  ["an update with consent", ({ member, body }) => member !== undefined && "consent" in body],
];

const ofPaths: Mutant[] = paths.flatMap(([path, which]) =>
  properties.map((name) =>
    posts("MEMB-16", `${path} leaves ${name} unchanged`, which, (body) => without(body, name)),
  ),
);

const ofTags: Mutant[] = [
  posts(
    "CONT-16",
    "the third tag of a request is not added",
    () => true,
    (body) =>
      listOf(body.tags).length < 3 || listOf(body.tags).length > 20
        ? body
        : { ...body, tags: listOf(body.tags).slice(0, 2) },
  ),
  memberships("CONT-16", "tags of a third request replace those before", (one, { lists }, request) => {
    const sent = listOf(objectOf(request.body).tags);
    return isUpsert(request) && sent.length > 0 && (lists.get(one.list_id)?.posts ?? 0) > 2
      ? { ...one, tags: sent }
      : one;
  }),
  memberships("CONT-16", "a tag that is sent again is removed", (one, { lists }, request) => {
    const sent = listOf(objectOf(request.body).tags);
    const before = listOf(lists.get(one.list_id)?.joined.tags);
    return isUpsert(request) && (lists.get(one.list_id)?.posts ?? 0) > 1
      ? { ...one, tags: listOf(one.tags).filter((tag) => !(sent.includes(tag) && before.includes(tag))) }
      : one;
  }),
  memberships("CONT-16", "an update that clears a field removes the tags", (one, _, request) =>
    isUpsert(request) && Object.values(fieldsOf(objectOf(request.body))).includes(null)
      ? { ...one, tags: listOf(objectOf(request.body).tags) }
      : one,
  ),
];

const sliced =
  (name: string, length: number) =>
  (body: Json): Json =>
    typeof body[name] === "string" ? { ...body, [name]: textOf(body[name]).slice(0, length) } : body;

/** Rules that hold for a new contact only. */
const rules: [RequirementId, string, (body: Json) => Json][] = [
  ["CONT-8", "a first_name of 121 characters", sliced("first_name", 120)],
  ["CONT-9", "a last_name of 121 characters", sliced("last_name", 120)],
  [
    "CONT-14",
    "21 tags",
    (body) => ("tags" in body ? { ...body, tags: listOf(body.tags).slice(0, 20) } : body),
  ],
  [
    "CONT-15",
    "a tag of 61 characters",
    (body) =>
      "tags" in body ? { ...body, tags: listOf(body.tags).map((tag) => textOf(tag).slice(0, 60)) } : body,
  ],
  [
    "CONT-11",
    "a value for an undefined field",
    withFieldValues((key, value) =>
      /^(city|orders|birthday|website|note_\d+)$/.test(key) ? [key, value] : undefined,
    ),
  ],
  [
    "CONT-12",
    "a text in a field of type number",
    withFieldValues((key, value) => [key, key === keys.number && typeof value === "string" ? 1 : value]),
  ],
  [
    "CONT-12",
    "a text in a field of type date",
    withFieldValues((key, value) => [
      key,
      key === keys.date && !/^\d{4}-\d\d-\d\d$/.test(String(value ?? "2000-01-01")) ? "2000-01-01" : value,
    ]),
  ],
  [
    "CONT-12",
    "a text in a field of type url",
    withFieldValues((key, value) => [
      key,
      key === keys.url && !/^https?:/.test(String(value ?? "https:")) ? "https://example.com" : value,
    ]),
  ],
];

const ofRules: Mutant[] = rules.map(([requirement, title, repair]) =>
  posts(requirement, `an update accepts ${title}`, isUpdate, repair),
);

const ofResponses: Mutant[] = [
  postResponses(
    "CONT-2",
    "an update with the address in upper case returns 201",
    (given) => isUpdate(given) && isUpperCase(given),
    (response) => ({ ...response, status: 201 }),
  ),
  postResponses("CONT-2", "the second update returns 201", isSecondUpdate, (response) => ({
    ...response,
    status: 201,
  })),
  postResponses(
    "CONT-2",
    "an update by another key of the account returns 201",
    ({ contact, member, request }) => member !== undefined && contact?.changedBy !== authorizationOf(request),
    (response) => ({ ...response, status: 201 }),
  ),
  memberships("MEMB-9", "subscribed_at changes with the second update", (one, { lists }) =>
    (lists.get(one.list_id)?.posts ?? 0) > 2 && typeof one.subscribed_at === "string"
      ? { ...one, subscribed_at: iso(Date.parse(one.subscribed_at) + hour) }
      : one,
  ),
  memberships("MEMB-10", "unsubscribed_at changes with an update", (one, { lists }, request) =>
    isUpsert(request) && lists.get(one.list_id)?.left === true && typeof one.unsubscribed_at === "string"
      ? { ...one, unsubscribed_at: iso(Date.parse(one.unsubscribed_at) - day) }
      : one,
  ),
  withPast(
    "MEMB-16",
    "the response to the second update shows the first name of before",
    async (request, next, { history }) => {
      const member = isUpsert(request) ? history.memberOf(request) : undefined;
      const response = await next(request);
      if (member?.posts !== 2) return response;
      const { first_name: name } = objectOf(response.body);
      return name === null
        ? response
        : { ...response, body: { ...objectOf(response.body), first_name: member.joined.first_name } };
    },
  ),
];

/** Updates that are wrong only on some paths. */
export const updateMutants: Mutant[] = [...ofPaths, ...ofTags, ...ofRules, ...ofResponses];
