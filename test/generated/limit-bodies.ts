import { limits } from "../../generated/limits.ts";
import {
  accepted,
  type BodyCase,
  batch,
  file,
  message,
  rejected,
  send,
  upsert,
  type Wrap,
} from "./bodies.ts";

type Rule = {
  field: string;
  unit: string;
  limit: number;
  value: (count: number) => unknown;
  keyword: string;
};

const letters = (count: number): string => "x".repeat(count);
const emailAddresses = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `a${index}@example.com`);
const pairs = (count: number, name = "a"): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`${name}${index}`, "b"]));

const sendRules: Rule[] = [
  {
    field: "to",
    unit: "email addresses",
    limit: limits.recipientsPerField,
    value: emailAddresses,
    keyword: "maxItems",
  },
  {
    field: "cc",
    unit: "email addresses",
    limit: limits.recipientsPerField,
    value: emailAddresses,
    keyword: "maxItems",
  },
  {
    field: "bcc",
    unit: "email addresses",
    limit: limits.recipientsPerField,
    value: emailAddresses,
    keyword: "maxItems",
  },
  { field: "subject", unit: "characters", limit: limits.subjectLength, value: letters, keyword: "maxLength" },
  { field: "tags", unit: "pairs", limit: limits.messageTags, value: pairs, keyword: "maxProperties" },
  {
    field: "headers",
    unit: "headers",
    limit: limits.extraHeaders,
    keyword: "maxProperties",
    value: (count) => pairs(count, "X-A"),
  },
];
const singleRules: Rule[] = [
  {
    field: "attachments",
    unit: "files",
    limit: limits.attachments,
    keyword: "maxItems",
    value: (count) => Array.from({ length: count }, () => file),
  },
];
const contactRules: Rule[] = [
  {
    field: "first_name",
    unit: "characters",
    limit: limits.contactNameLength,
    value: letters,
    keyword: "maxLength",
  },
  {
    field: "last_name",
    unit: "characters",
    limit: limits.contactNameLength,
    value: letters,
    keyword: "maxLength",
  },
  { field: "fields", unit: "values", limit: limits.contactFields, value: pairs, keyword: "maxProperties" },
  {
    field: "tags",
    unit: "tags",
    limit: limits.contactTags,
    keyword: "maxItems",
    value: (count) => Array.from({ length: count }, (_, index) => `t${index}`),
  },
];

/** Two cases of a rule: a value at its limit is accepted, one beyond it is rejected. */
function sides(operation: BodyCase["operation"], wrap: Wrap, prefix: string, rule: Rule): BodyCase[] {
  const { field, unit, limit, value, keyword } = rule;
  const body = (count: number): unknown => wrap({ [field]: value(count) });
  const at = `${prefix}/${field}`;
  return [
    accepted(operation, `${field} of ${limit} ${unit}`, body(limit)),
    rejected(operation, `${field} of ${limit + 1} ${unit}`, body(limit + 1), { keyword, at }),
  ];
}

/** Both sides of every limit. */
export const limitCases: BodyCase[] = [
  ...[...sendRules, ...singleRules].flatMap((rule) => sides("sendEmail", send, "", rule)),
  ...sendRules.flatMap((rule) => sides("sendBatch", batch, "/emails/1", rule)),
  ...contactRules.flatMap((rule) => sides("upsertContact", upsert, "", rule)),
  ...sides("sendEmail", (fields) => send({ tags: fields }), "/tags", {
    field: "order",
    unit: "characters",
    limit: limits.messageTagValueLength,
    value: letters,
    keyword: "maxLength",
  }),
  ...sides("upsertContact", (fields) => upsert({ tags: Object.values(fields) }), "/tags", {
    field: "0",
    unit: "characters",
    limit: limits.contactTagLength,
    value: letters,
    keyword: "maxLength",
  }),
  ...sides("sendBatch", (fields) => fields, "", {
    field: "emails",
    unit: "messages",
    limit: limits.batchMessages,
    keyword: "maxItems",
    value: (count) => Array.from({ length: count }, () => message),
  }),
  rejected("sendBatch", "a batch of no message", { emails: [] }, { keyword: "minItems", at: "/emails" }),
];
