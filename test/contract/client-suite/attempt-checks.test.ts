import { describe, expect, it } from "vitest";
import type { Call, CallError } from "../../../contract/client-suite/driver/protocol.ts";
import {
  adviseAttempts,
  adviseErrors,
  checkAttempts,
} from "../../../contract/client-suite/engine/attempt-checks.ts";
import { RecordedCall } from "../../../contract/client-suite/engine/recorded-call.ts";
import { errorResponse, response } from "../../../contract/client-suite/service/disturbances.ts";
import type { WireExchange } from "../../../contract/client-suite/service/recording-server.ts";
import { assertPauses } from "../../../contract/client-suite/support/assertions.ts";
import { exchange } from "./wire.ts";

const lists: Call = { operation: "listNewsletterLists" };
const send: Call = { operation: "sendEmail", body: {} };
const withKey = (name: string) => ({ headers: { "idempotency-key": name } });

const posted = (key: string) => ({ method: "POST", ...withKey(key) });

const ok = response(200, { body: {} });
const failed = response(500);
const notFound = errorResponse(404, "not_found");
const limited = (retryAfter: string) =>
  errorResponse(429, "rate_limited", { headers: { "retry-after": retryAfter } });

interface Options {
  call?: Call;
  retries?: boolean;
}
type Row = [title: string, wire: WireExchange[], options?: Options];
type Wrong = [title: string, want: string, message: RegExp, wire: WireExchange[], options?: Options];

const found = (wire: WireExchange[], { call = lists, retries = true }: Options = {}) =>
  [...checkAttempts(wire, call, { retries })].filter(({ failure }) => failure !== undefined);

describe("checkAttempts", () => {
  it.each<Row>([
    ["a retry at once after a lost connection", [exchange(undefined), exchange(ok)]],
    [
      "another key for a retry of an operation that takes none",
      [exchange(failed, withKey("a")), exchange(ok, { at: 300, ...withKey("b") })],
    ],
    // A single pause may be short: `assertPauses` judges several calls.
    ["a retry at once", [exchange(failed), exchange(ok, { at: 1 })]],
    ["a send again that the rate limit rejected", [exchange(limited("0")), exchange(ok)], { call: send }],
  ])("finds nothing in %s", (_, wire, options) => {
    expect(found(wire, options)).toEqual([]);
  });

  it.each<Wrong>([
    [
      "a retry of an error that stays",
      "ERR-15",
      /^another request 500 ms after 404 not_found$/,
      [exchange(notFound), exchange(ok, { at: 500 })],
    ],
    [
      "a retry without retries",
      "ERR-15",
      /after 500$/,
      [exchange(failed), exchange(ok, { at: 300 })],
      { retries: false },
    ],
    [
      "more repetitions of a send than those of an HTTP library",
      "ERR-15",
      /^2 more requests after a lost connection; HTTP libraries repeat one$/,
      [exchange(undefined, posted("a")), exchange(undefined, posted("a")), exchange(ok, posted("a"))],
      { call: send, retries: false },
    ],
    [
      "a request before Retry-After",
      "HEAD-9",
      /after 900 ms/,
      [exchange(limited("1")), exchange(ok, { at: 900 })],
    ],
  ])("finds %s", (_, want, message, wire, options) => {
    const [first, ...others] = found(wire, options);
    expect(others).toEqual([]);
    expect(first?.ids).toEqual([want]);
    expect(first?.failure?.found).toMatch(message);
  });
});

describe("adviseAttempts", () => {
  const cancel: Call = { operation: "cancelEmail", path: { id: "msg_1" } };
  const keyless = /^The client sends cancelEmail again after (500|a lost connection)\. /;

  it.each<[title: string, want: RegExp[], wire: WireExchange[], options?: Options]>([
    ["a retry after a 429", [], [exchange(limited("0")), exchange(ok)], { call: cancel }],
    ["a write without a key after a failure", [keyless], [exchange(failed), exchange(ok)], { call: cancel }],
    [
      "a write without a key after a lost connection",
      [keyless],
      [exchange(undefined), exchange(ok)],
      { call: cancel },
    ],
    ["a repeated read", [], [exchange(undefined), exchange(ok)]],
  ])("of %s", (_, want, wire, { call = lists } = {}) => {
    const advice = adviseAttempts(wire, call);
    expect(advice).toEqual(want.map((pattern) => expect.stringMatching(pattern)));
  });
});

describe("adviseErrors", () => {
  const error: CallError = {
    kind: "response",
    status: 422,
    fields: { to: ["Is required."] },
    requestId: null,
  };
  const advice = (errors?: ("fields" | "requestId")[]): string[] =>
    adviseErrors({ error: error }, errors === undefined ? {} : { errors });

  it("names what errors have although the driver declares that they do not", () => {
    expect(advice(["requestId"])).toEqual([
      "The driver declares that its errors have no fields, but they do: declare fields to have the suite test it.",
    ]);
  });
});

/** A call whose requests came after these pauses, in milliseconds. */
function called(...pauses: number[]): RecordedCall {
  let at = 0;
  const wire = [0, ...pauses].map((pause) => {
    at += pause;
    return exchange(response(500), { at });
  });
  const made = {
    call: { operation: "listNewsletterLists" },
    reply: { result: {} },
    milliseconds: at,
  } as const;
  return new RecordedCall({ ...made, wire, exchanges: [], causes: [] });
}

/** How many calls are made until a client is judged, whose calls have these pauses in turn. */
async function callsOf(...calls: number[][]): Promise<number> {
  let made = 1;
  await assertPauses(called(...(calls[0] ?? [])), async () => {
    made += 1;
    return called(...(calls[(made - 1) % calls.length] ?? []));
  });
  return made;
}

describe("assertPauses", () => {
  it.each([
    ["waits in its first call", [[500]], 1],
    ["retries at once, and then waits", [[1], [1, 250, 500]], 2],
    ["has random pauses that begin at 0", [[3], [70], [0], [41], [96]], 5],
    ["waits 20 ms each time", [[20]], 10],
  ])("accepts a client that %s", async (_, calls, made) => {
    expect(await callsOf(...calls)).toBe(made);
  });

  it.each([
    ["never waits", [[1], [2, 1, 2]]],
    ["never waits, and was busy once", [[120], ...Array<number[]>(11).fill([3, 4, 2])]],
    ["waits 10 ms", [[12]]],
  ])("rejects a client that %s", async (_, calls) => {
    await expect(callsOf(...calls)).rejects.toThrow("in 12 calls of at least 200 ms together");
  });
});
