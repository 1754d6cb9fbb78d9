import { describe, expect, it } from "vitest";
import type { Reply } from "../../../contract/client-suite/driver/protocol.ts";
import { differenceOf } from "../../../contract/client-suite/engine/compare.ts";
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
const later = { type: "opened", at: "2027-01-31T08:45:00Z", detail: null };
const { bounce: _, ...withoutBounce } = message;

interface Row {
  title: string;
  operation?: OperationId;
  made: WireResponse | undefined;
  reply: Reply;
}

const found = ({ operation = "getEmail", made, reply }: Row) =>
  checkReply(reply, [exchange(made)], { operation }).filter(({ failure }) => failure !== undefined);
const ok = (body: unknown) => response(200, { body });

describe("checkReply", () => {
  it.each<Row>([
    { title: "an error", made: response(500), reply: { error: { kind: "response", status: 500 } } },
    { title: "the response", made: ok(message), reply: { result: message } },
    {
      title: "a result without unknown properties",
      made: ok({ ...message, added: 1 }),
      reply: { result: message },
    },
    {
      title: "a result with unknown properties",
      made: ok(message),
      reply: { result: { ...message, added: 1 } },
    },
    { title: "a result without a null", made: ok(message), reply: { result: withoutBounce } },
    {
      title: "a result without events of unknown types",
      made: ok({ ...message, events: [later, ...(message.events as unknown[])] }),
      reply: { result: message },
    },
    {
      title: "nothing, if the response is unspecified",
      operation: "rescheduleEmail",
      made: ok({ id: "a" }),
      reply: { result: null },
    },
    {
      title: "nothing of an unspecified response without a body",
      operation: "rescheduleEmail",
      made: response(204),
      reply: { result: null },
    },
    { title: "a result after a redirect", made: response(307), reply: { result: {} } },
    {
      title: "a response with another status",
      operation: "sendBatch",
      made: response(207, { body: { data: [] } }),
      reply: { result: { data: [] } },
    },
  ])("finds nothing in $title", (row) => {
    expect(found(row)).toEqual([]);
  });

  it.each<Row & { want: string; message: RegExp }>([
    {
      title: "a result after an error",
      made: response(500),
      reply: { result: null },
      want: "ERR-2",
      message: /the response is 500$/,
    },
    {
      title: "a result without a response",
      made: undefined,
      reply: { result: {} },
      want: "ERR-2",
      message: /no complete response$/,
    },
    {
      title: "a status that no response has",
      made: response(409),
      reply: { error: { kind: "response", status: 400 } },
      want: "ERR-2",
      message: /status 400$/,
    },
    {
      title: "a status without a response",
      made: undefined,
      reply: { error: { kind: "response", status: 500 } },
      want: "ERR-2",
      message: /status 500$/,
    },
    {
      title: "a result of HTML",
      made: response(200, { body: "<p>" }),
      reply: { result: null },
      want: "GEN-4",
      message: /is not JSON$/,
    },
    {
      title: "a missing property",
      made: ok(message),
      reply: { result: { ...message, subject: undefined } },
      want: "LOOK-1",
      message: /subject/,
    },
    {
      title: "null for a message",
      made: ok(message),
      reply: { result: null },
      want: "LOOK-1",
      message: /the value is null/,
    },
    {
      title: "a missing event",
      made: ok(message),
      reply: { result: { ...message, events: [] } },
      want: "LOOK-1",
      message: /events has 0 items, not 1/,
    },
    {
      title: "a rounded number",
      operation: "upsertContact",
      made: ok(membership),
      reply: { result: { ...membership, fields: { orders: 12 } } },
      want: "CONT-3",
      message: /fields\.orders is 12, not 12\.5/,
    },
  ])("finds $title", ({ want, message: text, ...row }) => {
    const [first, ...others] = found(row);
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
    { title: "the printed client", output: first, want: /^the API key in printed: .*Client\(key=key_/ },
    {
      title: "the message of an error",
      output: `{"call":1}\n${JSON.stringify({ call: 2, error: { kind: "timeout", message: `Bearer ${key}` } })}`,
      want: /^the API key in error\.message of a reply: .*Bearer key_/,
    },
    {
      title: "a result",
      output: JSON.stringify({ call: 2, result: { key } }),
      want: /^the API key in the result of a reply: /,
    },
    {
      title: "a log",
      output: `starting\n${"x".repeat(500)}authorization: Bearer ${key}\n`,
      want: /^the API key in a line of a log, such as on standard error: x{1,80}authorization: Bearer key_\w+$/,
    },
  ])("says where the API key is in $title, and shows the line", ({ output, want }) => {
    expect(foundIn(output)).toMatch(want);
  });

  it("belongs to no call if it is the first line", () => {
    expect(isInFirstLine(first, key)).toBe(true);
    expect(isInFirstLine(`${first.replace(key, "***")}\nlog ${key}`, key)).toBe(false);
  });
});

const nested = { a: [{ b: 1 }, { b: [null, "x"] }] };

describe("differenceOf", () => {
  it.each<{ title: string; expected: unknown; found: unknown; want: string | undefined }>([
    { title: "equal values", expected: nested, found: structuredClone(nested), want: undefined },
    {
      title: "another order of properties",
      expected: { a: 1, b: 2 },
      found: { b: 2, a: 1 },
      want: undefined,
    },
    { title: "another number", expected: 12.5, found: 12, want: "the value is 12, not 12.5" },
    { title: "a number as a text", expected: { id: 7 }, found: { id: "7" }, want: 'id is "7", not 7' },
    { title: "null for an empty text", expected: { a: "" }, found: { a: null }, want: 'a is null, not ""' },
    {
      title: "a value deep inside",
      expected: nested,
      found: { a: [{ b: 1 }, { b: [null, "y"] }] },
      want: 'a.1.b.1 is "y", not "x"',
    },
    { title: "a missing property", expected: { a: { b: 1 } }, found: { a: {} }, want: "a.b is missing" },
    { title: "a missing null", expected: { a: null }, found: {}, want: "a is missing" },
    { title: "an added null", expected: {}, found: { cc: null }, want: "cc is added: null" },
    {
      title: "an added property deep inside",
      expected: { a: [{}] },
      found: { a: [{ b: 1 }] },
      want: "a.0.b is added: 1",
    },
    { title: "a shorter array", expected: [1, 2], found: [1], want: "the array has 1 items, not 2" },
    {
      title: "another order of an array",
      expected: { a: [1, 2] },
      found: { a: [2, 1] },
      want: "a.0 is 2, not 1",
    },
    { title: "an object for an array", expected: [], found: {}, want: "the value is {}, not []" },
    {
      title: "a property named as one of every object",
      expected: { constructor: "x" },
      found: {},
      want: "constructor is missing",
    },
    {
      title: "the same time with another offset",
      expected: "2027-02-21T10:00:00+01:00",
      found: "2027-02-21T09:00:00Z",
      want: undefined,
    },
    {
      title: "another time",
      expected: "2027-02-21T10:00:00+01:00",
      found: "2027-02-21T10:00:00Z",
      want: 'the value is "2027-02-21T10:00:00Z", not "2027-02-21T10:00:00+01:00"',
    },
    {
      title: "a time without its fraction of a second",
      expected: "2027-02-21T09:00:00.5Z",
      found: "2027-02-21T09:00:00Z",
      want: 'the value is "2027-02-21T09:00:00Z", not "2027-02-21T09:00:00.5Z"',
    },
    {
      title: "a date as a time",
      expected: "1984-02-29",
      found: "1984-02-29T00:00:00Z",
      want: 'the value is "1984-02-29T00:00:00Z", not "1984-02-29"',
    },
  ])("tells $title", ({ expected, found, want }) => {
    expect(differenceOf(expected, found)).toBe(want);
  });

  it.each<{ title: string; expected: unknown; found: unknown; want: string | undefined }>([
    { title: "a missing null", expected: { a: { b: null } }, found: { a: {} }, want: undefined },
    { title: "a further property", expected: { a: [{}] }, found: { a: [{ b: 1 }], c: 2 }, want: undefined },
    {
      title: "a time without its fraction of a second",
      expected: "2027-02-21T09:00:00.5Z",
      found: "2027-02-21T09:00:00+00:00",
      want: undefined,
    },
    { title: "a missing value", expected: { a: "" }, found: {}, want: "a is missing" },
    { title: "null for a value", expected: { a: 0 }, found: { a: null }, want: "a is null, not 0" },
    { title: "a shorter array", expected: { a: [null] }, found: { a: [] }, want: "a has 0 items, not 1" },
    {
      title: "a time a second later",
      expected: "2027-02-21T09:00:00Z",
      found: "2027-02-21T09:00:01Z",
      want: 'the value is "2027-02-21T09:00:01Z", not "2027-02-21T09:00:00Z"',
    },
  ])("tells of a response $title", ({ expected, found, want }) => {
    expect(differenceOf(expected, found, { lenient: true })).toBe(want);
  });

  it("cuts long values", () => {
    expect(differenceOf("a", "b".repeat(500))?.length).toBeLessThan(200);
  });
});
