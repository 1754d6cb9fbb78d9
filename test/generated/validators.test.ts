import { readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, test } from "vitest";
import { limits } from "../../generated/limits.ts";
import { generatedFolder } from "../../scripts/common/paths.ts";
import { dereference } from "../../scripts/document/references.ts";
import type { Header } from "../../scripts/document/types.ts";
import { limitCases, otherCases, shapeCases } from "./bodies.ts";
import {
  bundle,
  documentedResponses,
  errorsOf,
  examplesOf,
  firstExample,
  headersOf,
  operations,
  requestChecks,
  responseChecks,
} from "./checks.ts";

test.for(["requests.js", "responses.js"])("%s imports nothing", (name) => {
  const file = join(generatedFolder, "validators", name);
  const tree = ts.createSourceFile(
    file,
    readFileSync(file, "utf8"),
    ts.ScriptTarget.Latest,
    false,
    ts.ScriptKind.JS,
  );
  const found: string[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node)) found.push("import");
    if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword)
      found.push("import()");
    if (ts.isCallExpression(node) && ts.isIdentifier(node.expression) && node.expression.text === "require") {
      found.push("require()");
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  expect(found).toEqual([]);
});

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

describe("every example of a response, and of its headers, is valid for its operation and status", () => {
  test.for(documentedResponses)("$name", ({ response, check }) => {
    for (const [name, value] of examplesOf(response.content))
      expect(errorsOf(check?.body, value), name).toEqual([]);
    expect(check?.mayBeEmpty).toBe(response["x-empty-body"] === true);
    expect(errorsOf(check?.headers, headersOf(response))).toEqual([]);
  });
});

describe("a response without a required header is invalid", () => {
  test.for(documentedResponses)("$name", ({ response, check }) => {
    const headers = headersOf(response);
    for (const [name, header] of Object.entries(response.headers ?? {})) {
      const { [name.toLowerCase()]: _, ...rest } = headers;
      const missing = errorsOf(check?.headers, rest).map(({ params }) => params.missingProperty);
      expect(missing, name).toEqual(dereference<Header>(bundle, header).required ? [name.toLowerCase()] : []);
    }
  });
});

test("a count in a header is read as a number, and other text is invalid", () => {
  const check = responseChecks.getEmail?.["2XX"]?.headers;
  const headers = { "x-service-request-id": "r", "x-ratelimit-limit": "120", "x-ratelimit-remaining": "1" };
  expect(errorsOf(check, headers)).toEqual([]);
  expect(errorsOf(check, { ...headers, "x-ratelimit-remaining": "many" })).toMatchObject([
    { instancePath: "/x-ratelimit-remaining", keyword: "type" },
  ]);
  expect(headers["x-ratelimit-limit"]).toBe("120");
});

describe("bounds of responses", () => {
  const message = { ...(firstExample("getEmail", "2XX") as object), subject: "x".repeat(100_000) };

  test("that are the document's own do not count", () => {
    const to = Array.from({ length: 1000 }, (_, index) => `a${index}@example.com`);
    expect(
      errorsOf(responseChecks.getEmail?.["2XX"]?.body, { ...message, to, id: "x".repeat(5000) }),
    ).toEqual([]);
  });

  test("of the service do", () => {
    const tags = Object.fromEntries(Array.from({ length: 21 }, (_, index) => [`t${index}`, "x"]));
    expect(errorsOf(responseChecks.getEmail?.["2XX"]?.body, { ...message, tags })).toMatchObject([
      { instancePath: "/tags", keyword: "maxProperties" },
    ]);
  });
});

describe("responses stay open", () => {
  test("to fields, event types and error types that nobody knows yet", () => {
    const message = firstExample("getEmail", "2XX") as { events: object[] };
    const event = { type: "opened", at: "2026-11-01T10:00:00Z", detail: null, device: "phone" };
    expect(
      errorsOf(responseChecks.getEmail?.["2XX"]?.body, { ...message, events: [event], opened_at: null }),
    ).toEqual([]);
    const error = { error: { type: "teapot", message: "No.", request_id: "r", hint: "Tea." } };
    expect(errorsOf(responseChecks.getEmail?.["404"]?.body, error)).toEqual([]);
  });

  test("but not to another status of a message, a missing field or a time outside UTC", () => {
    const message = firstExample("getEmail", "2XX") as Record<string, unknown>;
    const { events: _, ...short } = message;
    const check = responseChecks.getEmail?.["2XX"]?.body;
    expect(errorsOf(check, { ...message, status: "lost" })).toMatchObject([
      { keyword: "enum", instancePath: "/status" },
    ]);
    expect(errorsOf(check, short)).toMatchObject([
      { keyword: "required", params: { missingProperty: "events" } },
    ]);
    expect(errorsOf(check, { ...message, sent_at: "2026-11-01T10:00:00+01:00" })).toMatchObject([
      { instancePath: "/sent_at", keyword: "format" },
    ]);
  });
});
