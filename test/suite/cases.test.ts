import { describe, expect, test } from "vitest";
import { requests } from "../../generated/validators/requests.js";
import type { Case } from "../contract/cases/case.ts";
import { deriveCases } from "../contract/cases/derive.ts";
import { document, operationsOf, resolve, type Schema } from "../contract/document.ts";
import { oracle } from "../contract/oracle.ts";

const cases = deriveCases(document, oracle);
const holds = ({ operation, where, body, headers }: Case): boolean => {
  if (where === "body") return oracle.accepts(operation, body);
  const small = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value]);
  return requests[operation as keyof typeof requests].parameters({ header: Object.fromEntries(small) });
};

describe("the cases of the document", () => {
  test("are accepted exactly where the document itself accepts them", () => {
    expect(cases.filter((one) => holds(one) !== one.accepted).map(({ title }) => title)).toEqual([]);
  });

  test("have a title each", () => {
    const titles = cases.map(({ title }) => title);
    expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
  });

  test("read as facts", () => {
    const titles = cases.map(({ title }) => title);
    expect(titles).toContain("sendEmail (ContentSend): a subject of 998 characters is accepted");
    expect(titles).toContain("sendEmail (ContentSend): a subject of 999 characters is refused");
    expect(titles).toContain("sendEmail (TemplateSend): a value in tags of 129 characters is refused");
    expect(titles).toContain("sendBatch: emails with 0 entries is refused");
    expect(titles).toContain("upsertContact: a text as list_id is refused");
    expect(titles).toContain("sendEmail: an Idempotency-Key of 257 characters is refused");
  });

  test("lie on both sides of every constraint that is a promise", () => {
    const constraints = operationsOf(document).flatMap(({ id, body }) =>
      body ? constraintsOf(id, body) : [],
    );
    const refused = new Set(cases.filter(({ accepted }) => !accepted).map(keyOf));
    expect(constraints.length).toBeGreaterThan(100);
    expect([...new Set(constraints)].filter((key) => !refused.has(key))).toEqual([]);
    const bounds = cases.filter(({ keyword }) => /^(min|max)/.test(keyword));
    const within = new Set(bounds.filter(({ accepted }) => accepted).map(keyOf));
    expect(bounds.map(keyOf).filter((key) => !within.has(key) && !key.endsWith("minItems"))).toEqual([]);
  });

  test("never try a bound that is the document's own", () => {
    expect(cases.filter(({ field, keyword }) => field.endsWith("html") && keyword === "maxLength")).toEqual(
      [],
    );
    expect(cases.filter(({ field, keyword }) => field.endsWith("list_id") && /imum$/.test(keyword))).toEqual(
      [],
    );
  });
});

const keyOf = ({ operation, field, keyword }: Pick<Case, "operation" | "field" | "keyword">): string =>
  `${operation} ${field} ${keyword === "pattern" ? "format" : keyword}`;

/** A second, simple way to find every constraint: which operation, which field, which keyword. */
function constraintsOf(operation: string, given: Schema, field: string[] = []): string[] {
  const schema = resolve<Schema>(document, given);
  const key = (keyword: string, ...more: string[]) =>
    keyOf({ operation, field: [...field, ...more].join("."), keyword });
  const ceiling =
    schema["x-technical-limit"] === true
      ? ["maxLength", "maxItems", "maxProperties", "minimum", "maximum"]
      : [];
  const plain = [
    "type",
    "maxLength",
    "minLength",
    "maxItems",
    "minItems",
    "maxProperties",
    "pattern",
    "propertyNames",
    "if",
  ];
  const below = (inner: Schema | undefined, ...step: string[]) =>
    inner ? constraintsOf(operation, inner, [...field, ...step]) : [];
  const isText = schema.type === "string";
  return [
    ...plain
      .filter((keyword) => keyword in schema && !ceiling.includes(keyword))
      .map((keyword) => key(keyword)),
    ...("format" in schema && isText ? [key("format")] : []),
    ...(schema.required ?? []).map((name) => key("required", name)),
    ...Object.entries(schema.properties ?? {}).flatMap(([name, inner]) => below(inner, name)),
    ...below(schema.items, "*"),
    ...below(schema.additionalProperties, "*"),
    ...(schema.oneOf ?? []).flatMap((branch) => below(branch)),
  ];
}
