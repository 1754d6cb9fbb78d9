import { describe, expect, it } from "vitest";
import { RecordedCall } from "../../../contract/client-suite/engine/recorded-call.ts";
import { AssertionFailure } from "../../../contract/engine/assert.ts";

const call = { operation: "getMe" } as const;
const empty = { call, wire: [], exchanges: [], causes: [], milliseconds: 2500 };

function found(called: RecordedCall, given?: string): string | undefined {
  try {
    called.assert(false, "something else", given);
  } catch (error) {
    return error instanceof AssertionFailure ? error.found : undefined;
  }
}

describe("a failure of a call without a request", () => {
  const error = { kind: "connection", message: "no TLS library" } as const;
  const called = new RecordedCall({ ...empty, reply: { error } });
  const reply = JSON.stringify({ error });

  it("shows the reply, which says why there is none", () => {
    expect(found(called, "no connection")).toBe(
      `no connection, without a request, and the reply ${reply}, in the call {"operation":"getMe"}`,
    );
  });

  it("shows it once", () => {
    expect(found(called)).toBe(`${reply}, without a request, in the call {"operation":"getMe"}`);
  });
});

describe("a call without a reply", () => {
  it("says what the driver declares if the call has a timeout", () => {
    const late = new RecordedCall({ ...empty, call: { ...call, timeout: 500 }, reply: undefined });
    expect(late.outcome).toBe(
      "no reply within 2500 ms, although the driver declares timeouts and the call has one of 500 ms",
    );
    expect(new RecordedCall({ ...empty, reply: undefined }).outcome).toBe("no reply within 2500 ms");
  });
});
