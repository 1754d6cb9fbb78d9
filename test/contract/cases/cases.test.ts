import { describe, expect, test } from "vitest";
import {
  document,
  documentValidators,
  operationsOf,
  resolve,
  type Schema,
} from "../../../contract/document.ts";
import type { Case } from "../../../contract/generated-cases/case.ts";
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

  test("have unique titles", () => {
    const titles = cases.map(({ title }) => title);
    expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
  });

  test("have readable titles", () => {
    const titles = cases.map(({ title }) => title);
    expect(titles).toContain("sendEmail (ContentSend): a subject of 998 characters is accepted");
    expect(titles).toContain("sendEmail (ContentSend): a subject of 999 characters is rejected");
    expect(titles).toContain("sendEmail (TemplateSend): a value in tags of 129 characters is rejected");
    expect(titles).toContain("sendBatch: emails with 0 entries is rejected");
    expect(titles).toContain("upsertContact: a text as list_id is rejected");
    expect(titles).toContain("sendEmail: an Idempotency-Key of 257 characters is rejected");
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

/** An independent, simple list of all constraints: operation, property and keyword. */
function constraintsOf(operation: string, given: Schema, field: string[] = []): string[] {
  const schema = resolve<Schema>(document, given);
  const key = (keyword: string, ...more: string[]) =>
    keyOf({ operation, field: [...field, ...more].join("."), keyword });
  const technical =
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
