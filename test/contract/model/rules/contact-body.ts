import { limits } from "../../../../generated/limits.ts";
import { isObject } from "../../../../lib/is-object.ts";
import { type Allowed, invalid } from "../allowed.ts";
import type { Json } from "../world.ts";

/** The custom fields of an account. */
export interface CustomFields {
  /** By key. */
  types: ReadonlyMap<string, unknown>;
  /** Whether there are no others. */
  areAll: boolean;
}

interface Constraint {
  id: string;
  /** The name in `error.fields`. */
  field: string;
  isMet(body: Json, custom: CustomFields): boolean;
}

const isText = (value: unknown): boolean => typeof value === "string";
const isOptionalText = (value: unknown): boolean => value === undefined || isText(value);
const isTextUpTo = (most: number) => (value: unknown) => isText(value) && [...String(value)].length <= most;
const isEmail = (value: unknown): boolean => isText(value) && /^[^\s@]+@[^\s@]+$/.test(String(value));
const isOptional =
  (isMet: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    value === undefined || isMet(value);
const listIn = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
const fieldsIn = ({ fields }: Json): [string, unknown][] => Object.entries((fields ?? {}) as Json);

const isName = isOptional(isTextUpTo(limits.contactNameLength));

/** The values of custom fields by type. Whether numbers may be sent as text is unspecified. */
const fitsType: Record<string, (value: unknown) => boolean> = {
  text: isText,
  number: (value) => !Number.isNaN(Number(value)),
  date: (value) => isText(value) && /^\d{4}-\d\d-\d\d$/.test(String(value)),
  url: (value) => isText(value) && URL.canParse(String(value)),
};

const ofContact: Constraint[] = [
  { id: "CONT-5", field: "email", isMet: ({ email }) => isEmail(email) },
  { id: "CONT-6", field: "list_id", isMet: ({ list_id }) => Number.isInteger(list_id) },
  { id: "CONT-8", field: "first_name", isMet: ({ first_name }) => isName(first_name) },
  { id: "CONT-9", field: "last_name", isMet: ({ last_name }) => isName(last_name) },
  { id: "CONT-10", field: "fields", isMet: (body) => fieldsIn(body).length <= limits.contactFields },
  {
    id: "CONT-11",
    field: "fields",
    isMet: (body, { types, areAll }) => !areAll || fieldsIn(body).every(([key]) => types.has(key)),
  },
  {
    id: "CONT-12",
    field: "fields",
    isMet: (body, { types }) =>
      fieldsIn(body).every(
        ([key, value]) => value === null || (fitsType[String(types.get(key))]?.(value) ?? true),
      ),
  },
  { id: "CONT-14", field: "tags", isMet: ({ tags = [] }) => Array.isArray(tags) },
  { id: "CONT-14", field: "tags", isMet: ({ tags }) => listIn(tags).length <= limits.contactTags },
  {
    id: "CONT-15",
    field: "tags",
    isMet: ({ tags }) => listIn(tags).every(isTextUpTo(limits.contactTagLength)),
  },
  ...(
    [
      ["CONT-17", "detail"],
      ["CONT-21", "ip"],
      ["CONT-22", "user_agent"],
    ] as const
  ).map(([id, name]) => ({
    id,
    field: "consent",
    isMet: ({ consent }: Json) => !isObject(consent) || isOptionalText((consent as Json)[name]),
  })),
];

const ofUnsubscribe: Constraint[] = [
  {
    id: "UNSUB-6",
    field: "list_id",
    isMet: ({ list_id }) => list_id === undefined || Number.isInteger(list_id),
  },
  { id: "UNSUB-7", field: "reason", isMet: ({ reason }) => isOptionalText(reason) },
];

const rejections = (constraints: readonly Constraint[], body: Json, custom: CustomFields): Allowed[] => {
  const violated = constraints.filter(({ isMet }) => !isMet(body, custom));
  if (violated.length === 0) return [];
  return [
    invalid(
      violated.map(({ id }) => id),
      ...violated.map(({ field }) => field),
    ),
  ];
};

/** The error for what is invalid in the body of a contact. */
export const rejectionsOfContact = (body: Json, custom: CustomFields): Allowed[] =>
  rejections(ofContact, body, custom);

/** The error for what is invalid in the body of an unsubscribe. */
export const rejectionsOfUnsubscribe = (body: Json): Allowed[] =>
  rejections(ofUnsubscribe, body, { types: new Map(), areAll: false });

/** Whether a custom field has a number as its value. */
export const hasNumber = (body: Json): boolean =>
  fieldsIn(body).some(([, value]) => typeof value === "number");
