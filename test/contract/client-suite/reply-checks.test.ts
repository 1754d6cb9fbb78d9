import { describe, expect, it } from "vitest";
import type { Reply } from "../../../contract/client-suite/driver/protocol.ts";
import { differenceText } from "../../../contract/client-suite/engine/compare.ts";
import {
  checkOutput,
  checkReply,
  isInFirstLine,
} from "../../../contract/client-suite/engine/reply-checks.ts";
import { response } from "../../../contract/client-suite/service/disturbances.ts";
import type { WireResponse } from "../../../contract/client-suite/service/recording-server.ts";
import { responseExample } from "../../../contract/client-suite/support/samples.ts";
import type { OperationId } from "../../../generated/operations.ts";
import { exchange, key } from "./wire.ts";

const message = responseExample("getEmail");
const membership = { ...responseExample("upsertContact"), fields: { orders: 12.5, x: null } };

type Made = [made: WireResponse | undefined, reply: Reply, operation?: OperationId];
type Row = [title: string, ...Made];

const found = (...[made, reply, operation = "getEmail"]: Made) =>
  [...checkReply(reply, [exchange(made)], { operation })].filter(({ failure }) => failure !== undefined);
const ok = (body: unknown) => response(200, { body });

describe("checkReply", () => {
  it.each<Row>([
    ["a result with unknown properties", ok(message), { result: { ...message, added: 1 } }],
    ["nothing, if the response is unspecified", ok({ id: "a" }), { result: null }, "rescheduleEmail"],
    ["nothing of an unspecified response without a body", response(204), { result: null }, "rescheduleEmail"],
    ["a result after a redirect", response(307), { result: {} }],
    [
      "a response with another status",
      response(207, { body: { data: [] } }),
      { result: { data: [] } },
      "sendBatch",
    ],
  ])("finds nothing in %s", (_, ...row) => {
    expect(found(...row)).toEqual([]);
  });

  it.each<[title: string, want: string, message: RegExp, ...Made]>([
    ["a result without a response", "ERR-2", /no complete response$/, undefined, { result: {} }],
    [
      "a status without a response",
      "ERR-2",
      /status 500$/,
      undefined,
      { error: { kind: "response", status: 500 } },
    ],
    [
      "a tag in the form of a time in another form",
      "LOOK-1",
      /tags\.day is "2027-01-31T08:30:00\.500Z", not "2027-01-31T08:30:00\.5Z"$/,
      ok({ ...message, tags: { day: "2027-01-31T08:30:00.5Z" } }),
      { result: { ...message, tags: { day: "2027-01-31T08:30:00.500Z" } } },
    ],
    [
      "a letter in another normal form",
      "LOOK-1",
      /subject is "Zo\\u\{eb\}", not "Zoe\\u\{308\}"$/,
      ok({ ...message, subject: "Zoe\u0308" }),
      { result: { ...message, subject: "Zo\u00eb" } },
    ],
    [
      "a rounded number",
      "CONT-3",
      /fields\.orders is 12, not 12\.5/,
      ok(membership),
      { result: { ...membership, fields: { orders: 12 } } },
      "upsertContact",
    ],
  ])("finds %s", (_, want, text, ...row) => {
    const [first, ...others] = found(...row);
    expect(others).toEqual([]);
    expect(first?.ids).toEqual([want]);
    expect(first?.failure?.found).toMatch(text);
  });
});

const foundIn = (output: string): string | undefined => checkOutput(output, key).failure?.found;
const first = JSON.stringify({ protocol: 1, printed: `Client(key=${key})` });

describe("the output of a client", () => {
  it("passes without the API key", () => {
    expect(foundIn('{"call":1,"result":{}}\nGET /api/v1/me')).toBeUndefined();
  });

  it.each([
    ["the printed client", first, /^the API key in a line: .*printed.*Client\(key=key_/],
    [
      "a log",
      `starting\n${"x".repeat(500)}authorization: Bearer ${key}\n`,
      /^the API key in a line: x{1,80}authorization: Bearer key_\w+$/,
    ],
  ])("shows the line of %s that has the API key", (_, output, want) => {
    expect(foundIn(output)).toMatch(want);
  });

  it("belongs to no call if it is the first line", () => {
    expect(isInFirstLine(first, key)).toBe(true);
    expect(isInFirstLine(`${first.replace(key, "***")}\nlog ${key}`, key)).toBe(false);
  });
});

const nested = { a: [{ b: 1 }, { b: [null, "x"] }] };

describe("differenceText", () => {
  it.each<[title: string, expected: unknown, found: unknown, want?: string]>([
    ["equal values", nested, structuredClone(nested)],
    ["another order of properties", { a: 1, b: 2 }, { b: 2, a: 1 }],
    ["another number", 12.5, 12, "the value is 12, not 12.5"],
    ["a number as a text", { id: 7 }, { id: "7" }, 'id is "7", not 7'],
    ["null for an empty text", { a: "" }, { a: null }, 'a is null, not ""'],
    ["a value deep inside", nested, { a: [{ b: 1 }, { b: [null, "y"] }] }, 'a.1.b.1 is "y", not "x"'],
    ["a missing property", { a: { b: 1 } }, { a: {} }, "a.b is missing"],
    ["a missing null", { a: null }, {}, "a is missing"],
    ["an added null", {}, { cc: null }, "cc is added: null"],
    ["an added property deep inside", { a: [{}] }, { a: [{ b: 1 }] }, "a.0.b is added: 1"],
    ["a shorter array", [1, 2], [1], "the array has 1 items, not 2"],
    ["another order of an array", { a: [1, 2] }, { a: [2, 1] }, "a has the same items in another order"],
    ["an object for an array", [], {}, "the value is {}, not []"],
    ["a property named as one of every object", { constructor: "x" }, {}, "constructor is missing"],
    ["the same time with another offset", "2027-02-21T10:00:00+01:00", "2027-02-21T09:00:00Z"],
    [
      "another time",
      "2027-02-21T10:00:00+01:00",
      "2027-02-21T10:00:00Z",
      'the value is "2027-02-21T10:00:00Z", not "2027-02-21T10:00:00+01:00"',
    ],
    [
      "a time without its fraction of a second",
      "2027-02-21T09:00:00.5Z",
      "2027-02-21T09:00:00Z",
      'the value is "2027-02-21T09:00:00Z", not "2027-02-21T09:00:00.5Z"',
    ],
    [
      "a date as a time",
      "1984-02-29",
      "1984-02-29T00:00:00Z",
      'the value is "1984-02-29T00:00:00Z", not "1984-02-29"',
    ],
  ])("tells %s", (_, expected, found, want) => {
    expect(differenceText(expected, found)).toBe(want);
  });

  it.each<[title: string, expected: unknown, found: unknown, want?: string]>([
    ["a missing null", { a: { b: null } }, { a: {} }],
    ["a further property", { a: [{}] }, { a: [{ b: 1 }], c: 2 }],
    ["a time without its fraction of a second", "2027-02-21T09:00:00.5Z", "2027-02-21T09:00:00+00:00"],
    ["a missing value", { a: "" }, {}, "a is missing"],
    ["null for a value", { a: 0 }, { a: null }, "a is null, not 0"],
    ["a shorter array", { a: [null] }, { a: [] }, "a has 0 items, not 1"],
    [
      "a time a second later",
      "2027-02-21T09:00:00Z",
      "2027-02-21T09:00:01Z",
      'the value is "2027-02-21T09:00:01Z", not "2027-02-21T09:00:00Z"',
    ],
  ])("tells of a response %s", (_, expected, found, want) => {
    expect(differenceText(expected, found, { lenient: true })).toBe(want);
  });

  it("cuts long values", () => {
    expect(differenceText("a", "b".repeat(500))?.length).toBeLessThan(200);
  });
});
