import { describe, expect, test } from "vitest";
import { dereference } from "../../scripts/document/references.ts";
import type { Header } from "../../scripts/document/types.ts";
import {
  bundle,
  documentedResponses,
  errorsOf,
  examplesOf,
  firstExample,
  headersOf,
  responseChecks,
} from "./checks.ts";

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
