import { describe, expect, test } from "vitest";
import { limits } from "../../generated/limits.ts";
import { errorsOf, examplesOf, operations, requestChecks } from "./checks.ts";
import { limitCases } from "./limit-bodies.ts";
import { otherCases, shapeCases } from "./shape-bodies.ts";

describe("every example of a request is accepted by its operation", () => {
  test.for(operations.filter(({ operation }) => operation.requestBody))("$id", ({ id, operation }) => {
    const examples = examplesOf(operation.requestBody?.content);
    expect(examples.length).toBeGreaterThan(0);
    for (const [name, value] of examples) expect(errorsOf(requestChecks[id]?.body, value), name).toEqual([]);
  });
});

describe("both sides of every rule of a request", () => {
  test.for([...limitCases, ...shapeCases, ...otherCases])("$name", ({ operation, body, rejected }) => {
    const errors = errorsOf(requestChecks[operation]?.body, body);
    if (rejected === undefined) expect(errors).toEqual([]);
    else
      expect(errors).toContainEqual(
        expect.objectContaining({ keyword: rejected.keyword, instancePath: rejected.at }),
      );
  });
});

describe("parameters", () => {
  test("example parameters are accepted, and path parameters are required", () => {
    for (const { id, parameters } of operations) {
      const groups: Record<string, Record<string, string>> = { path: {}, header: {}, query: {} };
      for (const { in: place, name, example } of parameters) {
        groups[place] = {
          ...groups[place],
          [place === "header" ? name.toLowerCase() : name]: String(example),
        };
      }
      expect(errorsOf(requestChecks[id]?.parameters, groups), id).toEqual([]);
      const required = parameters.filter((parameter) => parameter.in === "path").map(({ name }) => name);
      const missing = errorsOf(requestChecks[id]?.parameters, {}).map(({ params }) => params.missingProperty);
      expect(missing, id).toEqual(required);
    }
  });

  test("an idempotency key at its limit is accepted, a longer one is rejected", () => {
    const key = (length: number) => ({ header: { "idempotency-key": "k".repeat(length) } });
    expect(errorsOf(requestChecks.sendEmail?.parameters, key(limits.idempotencyKeyLength))).toEqual([]);
    expect(errorsOf(requestChecks.sendEmail?.parameters, key(limits.idempotencyKeyLength + 1))).toMatchObject(
      [{ instancePath: "/header/idempotency-key", keyword: "maxLength", params: { limit: 256 } }],
    );
  });
});

test("all errors are reported, with path, keyword and parameters, and without the data", () => {
  const errors = errorsOf(requestChecks.upsertContact?.body, { list_id: "1", first_name: "x".repeat(121) });
  expect(errors.map(({ instancePath, keyword, params }) => ({ instancePath, keyword, params }))).toEqual(
    expect.arrayContaining([
      { instancePath: "", keyword: "required", params: { missingProperty: "email" } },
      { instancePath: "/list_id", keyword: "type", params: { type: "integer" } },
      { instancePath: "/first_name", keyword: "maxLength", params: { limit: 120 } },
    ]),
  );
  for (const error of errors) expect(Object.keys(error)).not.toContain("data");
});

test("an attachment of tens of megabytes is validated to its end", () => {
  const message = { from: "ada@example.com", to: ["ada@example.com"], subject: "Big", text: "Big" };
  const send = (content: string) => ({ ...message, attachments: [{ filename: "big", content }] });
  const content = "A".repeat(36_000_000);
  expect(errorsOf(requestChecks.sendEmail?.body, send(content))).toEqual([]);
  const broken = errorsOf(requestChecks.sendEmail?.body, send(`${content.slice(0, -4)}A!AA`));
  expect(broken).toContainEqual(
    expect.objectContaining({ instancePath: "/attachments/0/content", keyword: "format" }),
  );
});

test("strings of megabytes in fields with a format or pattern are rejected quickly", () => {
  const long = "2026-12-24t".repeat(1_000_000);
  const body = {
    from: long,
    to: [long],
    subject: "",
    text: "",
    headers: { [`X-${long}`]: `${long}\n` },
    scheduled_at: long,
  };
  expect(errorsOf(requestChecks.sendEmail?.body, body).length).toBeGreaterThan(4);
});

test("technical limits apply to requests", () => {
  const body = { from: `${"a".repeat(300)}@example.com`, to: [], subject: "", text: "" };
  expect(errorsOf(requestChecks.sendEmail?.body, body)).toContainEqual(
    expect.objectContaining({ instancePath: "/from", keyword: "maxLength" }),
  );
});
