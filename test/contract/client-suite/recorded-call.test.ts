import { describe, expect, it } from "vitest";
import type { Call } from "../../../contract/client-suite/driver/protocol.ts";
import { causesOfRejection, RecordedCall } from "../../../contract/client-suite/engine/recorded-call.ts";
import { checkRequest } from "../../../contract/client-suite/engine/request-checks.ts";
import { errorResponse } from "../../../contract/client-suite/service/disturbances.ts";
import type { WireRequest } from "../../../contract/client-suite/service/recording-server.ts";
import { AssertionFailure } from "../../../contract/engine/assert.ts";
import { exchange, key } from "./wire.ts";

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

it("says how long a call without a reply took", () => {
  expect(new RecordedCall({ ...empty, reply: undefined }).outcome).toBe("no reply within 2500 ms");
});

const lists: Call = { operation: "listNewsletterLists" };
const conflict = errorResponse(409, "idempotency_conflict");

/** Of a request that the service responded to with a status. */
const causes = (ownStatus: number | undefined, request: Partial<WireRequest>, call = lists): string[] => {
  const wire = { ...exchange(conflict, request), ownStatus };
  return causesOfRejection(wire, call, [
    ...checkRequest(wire.request, call, key, { idempotencyKeys: "automatic" }),
  ]);
};
const target = "/v1/newsletter/lists";

describe("a rejection by the service", () => {
  it("has the requirements that the request violates as its causes", () => {
    expect(causes(404, { target, headers: { accept: "*/*" } })).toEqual(["GEN-1"]);
  });

  it("for a key that the client has used before has that as its cause", () => {
    expect(causes(409, { headers: { "idempotency-key": "a" } })).toEqual(["IDEM-5"]);
    expect(causes(409, { headers: { "idempotency-key": "a" } }, { ...lists, idempotencyKey: "a" })).toEqual(
      [],
    );
  });
});

describe("a failed assertion about a call", () => {
  const made = { call: lists, reply: undefined, wire: [], exchanges: [], milliseconds: 0 };
  const idsOf = (called: RecordedCall, found?: string): unknown => {
    try {
      called.assert(false, "something else", found);
    } catch (error) {
      return (error as AssertionFailure).ids;
    }
  };

  it("is about the requirements that the test case names", () => {
    expect(idsOf(new RecordedCall({ ...made, causes: [] }))).toBeUndefined();
    expect(idsOf(new RecordedCall({ ...made, causes: [] }).about("LOOK-1"))).toEqual(["LOOK-1"]);
  });

  it("is about the causes of a rejection if it is about the reply", () => {
    const called = new RecordedCall({ ...made, causes: ["GEN-6"] }).about("LOOK-1");
    expect(idsOf(called)).toEqual(["GEN-6"]);
    expect(idsOf(called, "another request")).toEqual(["LOOK-1"]);
  });
});
