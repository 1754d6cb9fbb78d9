import { describe, expect, it } from "vitest";
import {
  type Driver,
  DriverError,
  type StartDriver,
} from "../../../contract/client-suite/driver/protocol.ts";
import type { Service } from "../../../contract/client-suite/engine/driver-session.ts";
import { clientCases, runClient } from "../../../contract/client-suite/run-client.ts";
import { operations } from "../../../generated/operations.ts";

/** A service that counts those that are open. */
function countedService() {
  let open = 0;
  const startService = async (): Promise<Service> => {
    open += 1;
    return {
      baseUrl: "http://127.0.0.1:1",
      key: "key_1",
      messages: async () => [],
      advance: async () => {},
      reset: async () => {},
      close: async () => {
        open -= 1;
      },
    };
  };
  return { startService, open: () => open };
}

const driver = (onClose: () => void): Driver => ({
  capabilities: {
    client: "a client 1.0",
    operations: ["getMe"],
    retries: false,
    idempotencyKeys: "explicit",
    timeouts: false,
  },
  call: async () => ({ result: {} }),
  isOpen: true,
  takeOutput: () => "",
  close: async () => onClose(),
});

describe("a run on a client", () => {
  it("closes all drivers and services if one of them does not start", async () => {
    const { startService, open } = countedService();
    let starts = 0;
    let drivers = 0;
    const startDriver: StartDriver = async () => {
      starts += 1;
      if (starts === 2) throw new DriverError("The second driver does not start.");
      // The others start after the failure.
      if (starts > 2) await new Promise((resolve) => setTimeout(resolve, 20));
      drivers += 1;
      return driver(() => {
        drivers -= 1;
      });
    };
    const run = runClient({ cases: clientCases("core"), startDriver, startService });
    await expect(run).rejects.toThrow("The second driver does not start.");
    expect({ starts, drivers, services: open() }).toEqual({ starts: 4, drivers: 0, services: 0 });
  });
});

describe("drivers that do nothing", () => {
  const cases = clientCases("full");
  const all = { ...driver(() => {}).capabilities, operations: Object.keys(operations) };
  const run = (call: Driver["call"]) => {
    let calls = 0;
    const counted: Driver["call"] = (...given) => {
      calls += 1;
      return call(...given);
    };
    const started = { ...driver(() => {}), capabilities: all, call: counted, isOpen: false };
    return runClient({
      cases,
      startDriver: async () => started,
      startService: countedService().startService,
    }).then(({ outcomes }) => ({ outcomes, calls }));
  };

  it("end the run after a few calls, with an error in each test case", async () => {
    const { outcomes, calls } = await run(async () => undefined);
    expect(calls).toBeLessThan(10);
    const verdicts = outcomes.map(({ verdict }) => verdict);
    expect({ verdicts: new Set(verdicts), number: verdicts.length }).toEqual({
      verdicts: new Set(["error"]),
      number: cases.length,
    });
    const reasons = outcomes.map(({ reason }) => reason?.split("\n")[0]);
    expect(new Set(reasons)).toEqual(
      new Set([
        "The driver sent no request and wrote no reply within 0 s.",
        "The run has ended early: in 4 calls in a row, the driver sent no request or wrote no complete line.",
      ]),
    );
  });

  it("do not end it while other calls have replies", async () => {
    let number = 0;
    const { calls } = await run(async () => {
      number += 1;
      return number % 4 === 0 ? { result: {} } : undefined;
    });
    expect(calls).toBeGreaterThan(100);
  });
});

describe("a client that sends nothing", () => {
  const unused = { ...driver(() => {}), takeOutput: () => "" };
  const all = { ...unused.capabilities, operations: Object.keys(operations) };

  it.each<{ title: string; call: Driver["call"] }>([
    { title: "returns results", call: async () => ({ result: {} }) },
    { title: "returns errors", call: async () => ({ error: { kind: "connection" } }) },
    {
      title: "hangs",
      call: async () => {
        throw new DriverError("It hangs.");
      },
    },
  ])("and $title passes nothing on its requests", async ({ call }) => {
    const { outcomes } = await runClient({
      cases: clientCases("full", /^(?!.*GEN-2).*(IDEM-5|GEN-9|HEAD-9|ERR-15|LOOK-15)/),
      startDriver: async () => ({ ...unused, capabilities: all, call }),
      startService: countedService().startService,
    });
    expect(outcomes.filter(({ verdict }) => verdict === "pass")).toEqual([]);
    const passes = outcomes.flatMap(({ responseChecks }) =>
      responseChecks.filter(({ failures }) => failures.length === 0),
    );
    expect(passes).toEqual([]);
  });
});
