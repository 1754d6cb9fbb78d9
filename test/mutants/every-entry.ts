import { changeRequests, type Mutant, type RequirementId } from "./mutant.ts";
import { isUpsert, type Json, listOf, objectOf, textOf } from "./newsletter.ts";
import { isRequestTo, messagesIn, withFields, withMessages } from "./requests.ts";

const isAddress = (value: unknown): boolean => /^[^@\s]+@[^@\s]+$/.test(textOf(value));

/** Repairs the later entries of a list, so that only the first one counts. */
const rest = (value: unknown, repair: (entry: unknown) => unknown): unknown =>
  Array.isArray(value) ? value.map((entry, index) => (index === 0 ? entry : repair(entry))) : value;

type Pair = [name: string, value: unknown];

/** The same for the properties of an object. */
const restOf = (value: unknown, repair: (pair: Pair, index: number) => Pair): unknown => {
  const [first, ...others] = Object.entries(objectOf(value));
  return first === undefined ? value : Object.fromEntries([first, ...others.map(repair)]);
};

/** Validates only the first entry of a property in every message. */
const inMessages = (
  requirement: RequirementId,
  title: string,
  field: string,
  change: (value: unknown) => unknown,
): Mutant =>
  changeRequests(requirement, title, (request) =>
    messagesIn(request).some((message) => field in message)
      ? withMessages(request, (message) =>
          field in message ? { ...message, [field]: change(message[field]) } : message,
        )
      : undefined,
  );

const inPosts = (
  requirement: RequirementId,
  title: string,
  field: string,
  change: (body: Json) => unknown,
): Mutant =>
  changeRequests(requirement, title, (request) =>
    isUpsert(request) && field in objectOf(request.body)
      ? withFields(request, { [field]: change(objectOf(request.body)) })
      : undefined,
  );

const ofAddresses = (
  [
    ["ERR-10", "to"],
    ["SEND-18", "cc"],
    ["SEND-19", "bcc"],
  ] as const
).map(([id, field]) =>
  inMessages(id, `only the first entry of ${field} is validated`, field, (value) =>
    rest(value, (entry) => (isAddress(entry) ? entry : "success@simulator.example")),
  ),
);

/** Constraints that apply only to the first entry. */
export const laterEntriesMutants: Mutant[] = [
  ...ofAddresses,
  inMessages("SEND-22", "only the name of the first tag is validated", "tags", (tags) =>
    restOf(tags, ([name, value]) => [name.replaceAll(/[^\w:.-]/g, "_"), value]),
  ),
  inMessages("SEND-23", "only the value of the first tag is validated", "tags", (tags) =>
    restOf(tags, ([name, value]) => [name, typeof value === "string" ? value.slice(0, 128) : value]),
  ),
  inMessages("SEND-26", "only the name of the first header is validated", "headers", (headers) =>
    restOf(headers, ([name, value]) => [/^(X-|List-Unsubscribe)/.test(name) ? name : `X-${name}`, value]),
  ),
  inMessages("SEND-27", "only the value of the first header is validated", "headers", (headers) =>
    restOf(headers, ([name, value]) => [name, textOf(value).replaceAll(/[\r\n]/g, " ")]),
  ),
  inPosts("CONT-11", "only the key of the first custom field is validated", "fields", ({ fields }) =>
    restOf(fields, ([key, value], index) => [/^contract_/.test(key) ? `note_${index + 1}` : key, value]),
  ),
  inPosts("CONT-12", "only the value of the first custom field is validated", "fields", ({ fields }) =>
    restOf(fields, ([key, value]) => [
      key,
      key === "birthday" && typeof value === "string" && !/^\d{4}-/.test(value) ? "1990-11-05" : value,
    ]),
  ),
  inPosts("CONT-15", "only the first tag of a contact is validated", "tags", ({ tags }) =>
    listOf(tags).length > 20 ? tags : rest(tags, (tag) => textOf(tag).slice(0, 60)),
  ),
  changeRequests("BATCH-8", "only the first ten messages of a batch are validated", (request) => {
    const count = isRequestTo(request, "sendBatch") ? messagesIn(request).length : 0;
    if (count <= 10 || count > 100) return undefined;
    const from = "contract@bakery.example";
    const fine = { from, to: ["success@simulator.example"], subject: "Fine", text: "Fine." };
    return withMessages(request, (message, index) => (index < 10 ? message : fine));
  }),
];
