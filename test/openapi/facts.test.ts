import { expect, test } from "vitest";
import { bundle } from "../../scripts/bundle.ts";
import { brokenFacts } from "./facts.ts";

test("the document says what the facts say, no more and no less", async () => {
  expect(brokenFacts(await bundle())).toEqual([]);
});

test("a fact that no longer holds is told with what was expected", async () => {
  const document = structuredClone(await bundle());
  Object.assign(document.components.schemas?.Subject ?? {}, { maxLength: 999 });
  delete document["x-limits"].callLog;
  expect(brokenFacts(document)).toEqual([
    "schema Subject: string <=998 expected, string <=999 found",
    "table limits subjectLength: 998 characters expected, 999 characters found",
    "table limits callLog: 30 days expected, nothing found",
  ]);
});
