import { expect, test } from "vitest";
import { isSameFault } from "../../../contract/model/search.ts";
import type { Mismatch } from "../../../contract/model/walk.ts";

const mismatch = (expected: string, found: string, operation = "sendEmail"): Mismatch =>
  ({
    ids: ["SEND-18"],
    steps: [],
    exchanges: [],
    expected,
    found,
    exchange: { request: { operation } },
  }) as never;

const ofFields = mismatch("error.fields with entries for cc alone", "entries for cc, to");

test.each<[string, Mismatch, Mismatch, boolean]>([
  [
    "a fault of error.fields with other properties",
    ofFields,
    mismatch("error.fields with entries for bcc alone", "entries for bcc, to"),
    true,
  ],
  ["not a wrong status in place of error.fields", ofFields, mismatch("202", "422 invalid_request"), false],
  ["a wrong status in place of fewer", mismatch("202 or 402 no_plan", "500"), mismatch("202", "500"), true],
  ["not another wrong status", mismatch("202", "500"), mismatch("202", "422 invalid_request"), false],
  ["not in place of others", mismatch("202", "500"), mismatch("409 idempotency_conflict", "500"), false],
  [
    "not that of another operation",
    ofFields,
    { ...ofFields, ...mismatch(ofFields.expected, ofFields.found, "sendBatch") },
    false,
  ],
  ["not another property", mismatch('subject "a"', '"b"'), mismatch("tags {}", "{}"), false],
])("a shortened sequence shows %s", (_, one, other, isSame) => {
  expect(isSameFault(one, other)).toBe(isSame);
});
