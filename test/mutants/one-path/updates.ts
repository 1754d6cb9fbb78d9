import { day, hour, iso } from "../history.ts";
import type { Mutant, RequirementId } from "../mutant.ts";
import { fieldsOf, isUpsert, type Json, listOf, objectOf, textOf } from "../newsletter.ts";
import { withFieldValues } from "./field-values.ts";
import { isSecondUpdate, isUpdate, memberships, postResponses, posts } from "./of-contacts.ts";

const ofTags: Mutant[] = [
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
    "a text in a field of type url",
    withFieldValues((key, value) => [
      key,
      key === "website" && !/^https?:/.test(String(value ?? "https:")) ? "https://example.com" : value,
    ]),
  ],
];

const ofRules: Mutant[] = rules.map(([requirement, title, repair]) =>
  posts(requirement, `an update accepts ${title}`, isUpdate, repair),
);

const ofResponses: Mutant[] = [
  postResponses("CONT-2", "the second update returns 201", isSecondUpdate, (response) => ({
    ...response,
    status: 201,
  })),
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
];

/** Updates that are wrong only on some paths. */
export const updateMutants: Mutant[] = [...ofTags, ...ofRules, ...ofResponses];
