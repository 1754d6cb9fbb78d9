import { describe, expect, it } from "vitest";
import { RecordedCall } from "../../../contract/client-suite/engine/recorded-call.ts";
import { response } from "../../../contract/client-suite/service/disturbances.ts";
import { assertPauses } from "../../../contract/client-suite/support/assertions.ts";
import { exchange } from "./wire.ts";

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
