import { limits } from "../../../generated/limits.ts";
import type { Json } from "../world.ts";

/** The keys of custom fields. */
export interface FieldKeys {
  /** By type, if the configuration names one. */
  ofType: { text?: string; number?: string; date?: string; url?: string };
  /** One of the main account, which others need not have. */
  ofMain: string | undefined;
  /** All of the types text, date and url, with a valid value. */
  listed: readonly (readonly [key: string, value: string])[];
}

const { contactNameLength, contactTagLength, contactTags, contactFields } = limits;
const many = (count: number): string[] => Array.from({ length: count }, (_, index) => `tag ${index + 1}`);

const namesAndTags: Json[] = [
  { email: undefined },
  { email: "contract" },
  { email: "@example.com" },
  { email: "contract@" },
  { list_id: undefined },
  { list_id: 1.5 },
  { list_id: "1" },
  ...["first_name", "last_name"].flatMap((name) => [
    { [name]: "a".repeat(contactNameLength) },
    { [name]: "é".repeat(contactNameLength) },
    { [name]: "a".repeat(contactNameLength + 1) },
    { [name]: 1 },
  ]),
  { tags: many(contactTags) },
  { tags: many(contactTags + 1) },
  { tags: "bread" },
  { tags: ["bread", "a".repeat(contactTagLength)] },
  { tags: ["bread", "é".repeat(contactTagLength)] },
  { tags: ["bread", "a".repeat(contactTagLength + 1)] },
  { tags: ["bread", 1] },
  ...["detail", "ip", "user_agent"].map((name) => ({ consent: { [name]: 1 } })),
];

const wrongValues = [
  ["number", "a dozen"],
  ["date", "next Tuesday"],
  ["date", "31/12/1984"],
  ["date", 20261224],
  ["url", "no web address"],
] as const;

function ofFields({ ofType, ofMain = "contract_other", listed }: FieldKeys): Json[] {
  const first = ofType.text === undefined ? {} : { [ofType.text]: "Leeds" };
  return [
    ...wrongValues.flatMap(([type, value]) =>
      ofType[type] === undefined ? [] : [{ ...first, [ofType[type]]: value }],
    ),
    { ...first, contract_undefined: "Leeds" },
    { [ofMain]: "Leeds" },
    ...[contactFields, contactFields + 1]
      .filter((count) => count <= listed.length)
      .map((count) => Object.fromEntries(listed.slice(0, count))),
  ].map((fields) => ({ fields }));
}

/** Changes of a contact request to just within, or just beyond, one constraint. */
export const contactEdges = (keys: FieldKeys): Json[] => [...namesAndTags, ...ofFields(keys)];

/** Changes of an unsubscribe request to just beyond one constraint. */
export const unsubscribeEdges: readonly Json[] = [{ list_id: 1.5 }, { list_id: "1" }, { reason: 1 }];
