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

interface Row {
  title: string;
  call?: Call;
  wire: WireExchange[];
  retries?: boolean;
}

const found = ({ call = lists, wire, retries = true }: Row) =>
  checkAttempts(wire, call, { retries }).filter(({ failure }) => failure !== undefined);

describe("checkAttempts", () => {
  it.each<Row>([
    { title: "one request", wire: [exchange(ok)] },
    { title: "a retry after a pause", wire: [exchange(failed), exchange(ok, { at: 300 })] },
    { title: "a retry at once after a lost connection", wire: [exchange(undefined), exchange(ok)] },
    {
      title: "a retry of the HTTP library after a lost connection",
      wire: [exchange(undefined), exchange(ok)],
      retries: false,
    },
    {
      title: "one repetition of a send with an idempotency key by the HTTP library",
      call: send,
      wire: [exchange(undefined, posted("a")), exchange(ok, posted("a"))],
      retries: false,
    },
    {
      title: "another key for a retry of an operation that takes none",
      wire: [exchange(failed, withKey("a")), exchange(ok, { at: 300, ...withKey("b") })],
    },
    { title: "a retry of an unknown error", wire: [exchange(errorResponse(429, "too_fast")), exchange(ok)] },
    { title: "a retry after Retry-After", wire: [exchange(limited("1")), exchange(ok, { at: 1000 })] },
    // A single pause may be short: `assertPauses` judges several calls.
    { title: "a retry at once", wire: [exchange(failed), exchange(ok, { at: 1 })] },
    {
      title: "a retry of a send with its idempotency key",
      call: send,
      wire: [exchange(failed, withKey("a")), exchange(ok, { at: 300, ...withKey("a") })],
    },
    {
      title: "a send again that the rate limit rejected",
      call: send,
      wire: [exchange(limited("0")), exchange(ok)],
    },
  ])("finds nothing in $title", (row) => {
    expect(found(row)).toEqual([]);
  });

  it.each<Row & { want: string; message: RegExp }>([
    {
      title: "a retry of an error that stays",
      wire: [exchange(notFound), exchange(ok, { at: 500 })],
      want: "ERR-15",
      message: /^another request 500 ms after 404 not_found$/,
    },
    {
      title: "a retry without retries",
      wire: [exchange(failed), exchange(ok, { at: 300 })],
      retries: false,
      want: "ERR-15",
      message: /after 500$/,
    },
    {
      title: "more repetitions of a send than those of an HTTP library",
      call: send,
      wire: [exchange(undefined, posted("a")), exchange(undefined, posted("a")), exchange(ok, posted("a"))],
      retries: false,
      want: "ERR-15",
      message: /^2 more requests after a lost connection/,
    },
    ...(["sendBatch", "upsertContact"] as const).flatMap((operation) =>
      [undefined, failed].map((made) => ({
        title: `a retry of ${operation} without an idempotency key after ${made?.status ?? "a lost connection"}`,
        call: { operation, body: {} },
        wire: [exchange(made), exchange(ok, { at: 300 })],
        want: "IDEM-5",
        message: /^another request 300 ms after/,
      })),
    ),
    {
      title: "a request before Retry-After",
      wire: [exchange(limited("1")), exchange(ok, { at: 900 })],
      want: "HEAD-9",
      message: /after 900 ms/,
    },
    {
      title: "a new idempotency key for a retry",
      call: send,
      wire: [exchange(failed, withKey("a")), exchange(ok, { at: 300, ...withKey("b") })],
      want: "IDEM-5",
      message: /^a, b$/,
    },
    {
      title: "a retry of a send without an idempotency key",
      call: send,
      wire: [exchange(undefined), exchange(ok)],
      want: "IDEM-5",
      message: /after a lost connection$/,
    },
  ])("finds $title", ({ want, message, ...row }) => {
    const [first, ...others] = found(row);
    expect(others).toEqual([]);
    expect(first?.ids).toEqual([want]);
    expect(first?.failure?.found).toMatch(message);
  });
});

describe("adviseAttempts", () => {
  const cancel: Call = { operation: "cancelEmail", path: { id: "msg_1" } };
  const keyless = /^The client sends cancelEmail again after (500|a lost connection)\. /;
  const undeclared = /sent again after a lost connection, although the driver declares no retries/;

  it.each<Row & { want: RegExp[] }>([
    { title: "one request", wire: [exchange(failed)], call: cancel, want: [] },
    { title: "a retried read", wire: [exchange(failed), exchange(ok)], want: [] },
    { title: "a retried send", wire: [exchange(failed), exchange(ok)], call: send, want: [] },
    { title: "a retry after a 429", wire: [exchange(limited("0")), exchange(ok)], call: cancel, want: [] },
    {
      title: "a write without a key after a failure",
      wire: [exchange(failed), exchange(ok)],
      call: cancel,
      want: [keyless],
    },
    {
      title: "a write without a key after a lost connection",
      wire: [exchange(undefined), exchange(ok)],
      call: cancel,
      want: [keyless],
    },
    {
      title: "a repeated read of a client that declares no retries",
      wire: [exchange(undefined), exchange(ok)],
      retries: false,
      want: [undeclared],
    },
  ])("of $title", ({ wire, call = lists, retries = true, want }) => {
    const advice = adviseAttempts(wire, call, { retries });
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

  it("says nothing of what is declared, or is null", () => {
    expect([advice(), advice(["fields"]), adviseErrors({ result: {} }, { errors: [] })]).toEqual([
      [],
      [],
      [],
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
    { title: "waits in its first call", calls: [[500]], made: 1 },
    { title: "retries at once, and then waits", calls: [[1], [1, 250, 500]], made: 2 },
    { title: "has random pauses that begin at 0", calls: [[3], [70], [0], [41], [96]], made: 5 },
    { title: "waits 20 ms each time", calls: [[20]], made: 10 },
  ])("accepts a client that $title", async ({ calls, made }) => {
    expect(await callsOf(...calls)).toBe(made);
  });

  it.each([
    { title: "never waits", calls: [[1], [2, 1, 2]] },
    { title: "never waits, and was busy once", calls: [[120], ...Array<number[]>(11).fill([3, 4, 2])] },
    { title: "waits 10 ms", calls: [[12]] },
  ])("rejects a client that $title", async ({ calls }) => {
    await expect(callsOf(...calls)).rejects.toThrow("in 12 calls of at least 200 ms together");
  });
});
