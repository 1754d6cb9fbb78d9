import { expect, test } from "vitest";
import { bundle } from "../../scripts/bundle/bundle.ts";
import { unexpectedFacts } from "./facts.ts";

test("the document has exactly the expected contents", async () => {
  expect(unexpectedFacts(await bundle())).toEqual([]);
});

test("a difference is reported with what was expected and what was found", async () => {
  const document = structuredClone(await bundle());
  Object.assign(document.components.schemas?.Subject ?? {}, { maxLength: 999 });
  delete document["x-limits"].callLog;
  expect(unexpectedFacts(document)).toEqual([
    "schema Subject: string <=998 expected, string <=999 found",
    "table limits subjectLength: 998 characters -> 422.invalid_request expected, 999 characters -> 422.invalid_request found",
    "table limits callLog: 30 days expected, nothing found",
  ]);
});
