import { describe, expect, test } from "vitest";
import { assignCases } from "../../../contract/case-requirements/requirements.ts";
import { onMock, validationChecks } from "../../../contract/case-requirements/validation-checks.ts";
import { differenceOf } from "../../../contract/difference.ts";
import {
  document,
  documentValidators,
  operationsOf,
  resolve,
  type Schema,
} from "../../../contract/document.ts";
import { type Case, fieldOf, noun } from "../../../contract/generated-cases/case.ts";
import { deriveCases } from "../../../contract/generated-cases/derive.ts";
import { requests } from "../../../generated/validators/requests.js";
import { isObject } from "../../../lib/objects.ts";

const cases = deriveCases(document, documentValidators);
const isValid = ({ operation, location, body, headers, query }: Case): boolean => {
  if (location === "body") return documentValidators.accepts(operation, body);
  const header = Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]),
  );
  return requests[operation as keyof typeof requests].parameters({
    header,
    query: query as Record<string, string>,
  });
};

describe("the generated cases", () => {
  test("agree with the validators of the document", () => {
    expect(cases.filter((one) => isValid(one) !== one.accepted).map(({ title }) => title)).toEqual([]);
  });

  test("do not also lack a body if one is invalid", () => {
    const lacking = cases.filter(({ path, keyword, accepted, body }) => {
      const last = path.at(-1);
      if (accepted || keyword === "not" || (last !== "html" && last !== "text")) return false;
      const message = path.slice(0, -1).reduce<unknown>((value, step) => (value as never)[step], body);
      return !isObject(message) || !("html" in message && "text" in message);
    });
    expect(lacking.map(({ title }) => title)).toEqual([]);
  });

  test("have unique titles", () => {
    const titles = cases.map(({ title }) => title);
    expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
  });

  test("have readable titles", () => {
    expect(cases.map(({ title }) => title)).toEqual(
      expect.arrayContaining([
        "sendEmail (ContentSend): a subject of 998 characters is accepted",
        "sendEmail (ContentSend): a subject of 999 characters is rejected",
        "sendEmail (TemplateSend): a value in tags of 129 characters is rejected",
        "sendBatch: emails with 0 entries is rejected",
        "upsertContact: a text as list_id is rejected",
        "sendEmail: an Idempotency-Key of 257 characters is rejected",
      ]),
    );
  });

  test("are on both sides of every constraint of the service", () => {
    const constraints = operationsOf(document).flatMap(({ id, body }) =>
      body ? constraintsOf(id, body) : [],
    );
    const rejected = new Set(cases.filter(({ accepted }) => !accepted).map(keyOf));
    expect(constraints.length).toBeGreaterThan(100);
    expect([...new Set(constraints)].filter((key) => !rejected.has(key))).toEqual([]);
    const bounds = cases.filter(({ keyword }) => /^(min|max)/.test(keyword));
    const within = new Set(bounds.filter(({ accepted }) => accepted).map(keyOf));
    expect(bounds.map(keyOf).filter((key) => !within.has(key) && !key.endsWith("minItems"))).toEqual([]);
  });

  test("do not include technical limits", () => {
    const names = cases.map(({ field, keyword }) => `${field} ${keyword}`);
    expect(names.filter((name) => /html maxLength$|list_id \w+imum$/.test(name))).toEqual([]);
  });
});

const keyOf = ({ operation, field, keyword }: Pick<Case, "operation" | "field" | "keyword">): string =>
  `${operation} ${field} ${keyword === "pattern" ? "format" : keyword}`;

/** An independent, simple list of all constraints: operation, property and keyword. */
function constraintsOf(operation: string, given: Schema, field: string[] = []): string[] {
  const schema = resolve<Schema>(document, given);
  const key = (keyword: string, ...more: string[]) =>
    keyOf({ operation, field: [...field, ...more].join("."), keyword });
  const technical =
    schema["x-technical-limit"] === true
      ? ["maxLength", "maxItems", "maxProperties", "minimum", "maximum"]
      : [];
  const plain = "type maxLength minLength maxItems minItems maxProperties pattern propertyNames if".split(
    " ",
  );
  const below = (inner: Schema | undefined, ...step: string[]) =>
    inner ? constraintsOf(operation, inner, [...field, ...step]) : [];
  const isText = schema.type === "string";
  return [
    ...plain
      .filter((keyword) => keyword in schema && !technical.includes(keyword))
      .map((keyword) => key(keyword)),
    ...("format" in schema && isText ? [key("format")] : []),
    ...(schema.required ?? []).map((name) => key("required", name)),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => below(inner, name)),
    ...below(schema.items, "*"),
    ...(isObject(schema.additionalProperties) ? below(schema.additionalProperties, "*") : []),
    ...(schema.oneOf ?? []).flatMap((branch) => below(branch)),
  ];
}

const one = (field: string, keyword: string): Case => ({
  operation: "post",
  location: "body",
  field,
  path: [],
  keyword,
  accepted: false,
  title: `${field} ${keyword}`,
  body: {},
  headers: {},
  query: {},
});

const fieldCases = [one("", "type"), one("tags", "type"), one("tags", "maxItems"), one("tags.*", "type")];
const row = (id: string, ...selectors: string[]) => ({ id, selectors });

test("a case belongs to the most specific selector, in any order", () => {
  const rows = [row("rest", "**"), row("tags", "tags"), row("limit", "tags maxItems")];
  const want = { rest: [" type", "tags.* type"], tags: ["tags type"], limit: ["tags maxItems"] };
  for (const given of [rows, rows.toReversed()]) {
    const assigned = [...assignCases(fieldCases, given)];
    const titles = assigned.map(([{ id }, own]) => [id, own.map(({ title }) => title)]);
    expect(Object.fromEntries(titles)).toEqual(want);
  }
});

describe("an assignment is rejected with", () => {
  test.each([
    ["a case without a selector", [row("a", "body", "tags")], 'no requirement covers "tags.* type"'],
    [
      "a case with two selectors",
      [row("a", "**"), row("b", "tags"), row("c", "tags")],
      'several requirements cover "tags type": b, c',
    ],
    ["a selector without a case", [row("a", "**"), row("b", "cc")], "b covers cc, which has no case"],
  ])("%s", (_, rows, message) => {
    expect(() => assignCases(fieldCases, rows)).toThrow(message);
  });
});

test.each([
  [[], "", "body"],
  [["subject"], "subject", "subject"],
  [["to", "[]"], "to.*", "entry in to"],
  [["tags", "{}"], "tags.*", "value in tags"],
  [["consent", "detail"], "consent.detail", "detail in consent"],
  [["emails", "[]", "tags", "{}"], "emails.*.tags.*", "value in tags in emails"],
])("%j is the field %j, in titles %j", (steps, field, words) => {
  expect(fieldOf(steps)).toBe(field);
  expect(noun(steps)).toBe(words);
});

test.each([
  [{ a: [1, 2] }, { a: [1, 2] }, undefined],
  [{ a: [1, 2] }, { a: [1, 3] }, { at: "/a/1", one: 2, other: 3 }],
  [{ a: 1 }, {}, { at: "/a", one: 1, other: undefined }],
  [{}, { a: 1 }, { at: "/a", one: undefined, other: 1 }],
  [{ a: {} }, { a: [] }, { at: "/a", one: {}, other: [] }],
  ["a", undefined, { at: "", one: "a", other: undefined }],
])("%j differs from %j in %j", (one, other, difference) => {
  expect(differenceOf(one, other)).toEqual(difference);
});

test("a property of a body that no row selects has a check of its own, of the requirement that the document encodes at it", () => {
  const withMood = (encoded: object) => {
    const changed = structuredClone(document);
    const { ContentSend } = changed.components?.schemas ?? {};
    if (ContentSend?.properties === undefined) throw new Error("ContentSend has no properties");
    ContentSend.properties.mood = { type: "string", enum: ["low", "high"], ...encoded };
    return validationChecks(onMock, changed).filter(({ title }) => title === "mood is validated");
  };
  expect(withMood({})).toMatchObject([{ ids: ["ERR-10"] }]);
  const [check] = withMood({ "x-encodes": ["SEND-29"] });
  expect(check?.ids).toEqual(["SEND-29"]);
  expect(check?.cases.map(({ title }) => title)).toContain(
    'sendEmail (ContentSend): "low" as mood is accepted',
  );
});
