import { join } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { describe, expect, it, test } from "vitest";
import {
  type Driver,
  DriverError,
  type StartDriver,
} from "../../../contract/client-suite/driver/protocol.ts";
import type { Service } from "../../../contract/client-suite/engine/driver-session.ts";
import { clientCases, requirementsOfCases, runClient } from "../../../contract/client-suite/run-client.ts";
import type { CaseOutcome } from "../../../contract/engine/outcome.ts";
import { commonProfiles } from "../../../contract/engine/settings.ts";
import { badgeReport } from "../../../contract/report/badge.ts";
import { consoleText } from "../../../contract/report/console.ts";
import { htmlReport } from "../../../contract/report/html.ts";
import { junitReport } from "../../../contract/report/junit.ts";
import { markdownReport } from "../../../contract/report/markdown.ts";
import { type ContractResult, failedCases } from "../../../contract/report/result.ts";
import { summarize } from "../../../contract/report/summarize.ts";
import { operations } from "../../../generated/operations.ts";
import { requirements } from "../../../generated/requirements.ts";
import { runClientInit } from "../../../scripts/client-suite/command.ts";
import { runClientCommand } from "../../../scripts/client-suite/run-command.ts";
import { folderWith } from "../config/folder.ts";
import { outcome, resultOf, sampleExchange } from "../report/samples.ts";

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
        "The run has ended early: in 4 calls in a row, the driver did not start, sent no request or wrote no complete line.",
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

  it.each<[title: string, call: Driver["call"]]>([
    ["returns results", async () => ({ result: {} })],
    ["returns errors", async () => ({ error: { kind: "connection" } })],
    [
      "hangs",
      async () => {
        throw new DriverError("It hangs.");
      },
    ],
  ])("and %s passes nothing on its requests", async (_, call) => {
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

const all = clientCases("full");

describe("the client suite", () => {
  it("has at most 150 test cases", () => {
    expect(all.length).toBeGreaterThan(100);
    expect(all.length).toBeLessThanOrEqual(150);
  });

  it("verifies every requirement on clients", () => {
    const ids = Object.entries(requirements).flatMap(([id, { kind }]) => (kind === "client" ? [id] : []));
    const verified = requirementsOfCases(all);
    expect(ids.filter((id) => !verified.has(id))).toEqual([]);
  });

  it("has no two cases of a check with the same title", () => {
    const titles = all.map(({ check, testCase }) => `${check.title}: ${testCase.title}`);
    expect(titles.filter((title, index) => titles.indexOf(title) !== index)).toEqual([]);
  });

  it.each(commonProfiles)("has cases in the profile %s", (profile) => {
    expect(clientCases(profile).length).toBeGreaterThan(20);
  });
});

const client: ContractResult["client"] = {
  name: "ruby <net/http>",
  driver: "ruby driver.rb",
  operations: ["getMe", "sendEmail"],
  retries: false,
  idempotencyKeys: "explicit",
  timeouts: true,
};

const { expectedFailures: _, ...information } = resultOf();
const of = (outcomes: CaseOutcome[], scope?: ReadonlySet<string>): ContractResult =>
  summarize({ information: { ...information, client }, outcomes, scope });

const crash = [
  "The driver ended with exit code 1.",
  'In the call {"operation":"getMe"}',
  "Its last output:",
  "boom in the middle",
].join("\n");
const crashed = of([outcome({ ids: ["GEN-12"], verdict: "error", reason: crash })]);

describe("a report on a client", () => {
  test("names the client", () => {
    expect(markdownReport(of([outcome({})]))).toContain(
      "## Client: 1 of 1 requirement pass\n\nruby &lt;net/http&gt; ·",
    );
    expect(junitReport(of([outcome({})]))).toContain('name="client" value="ruby &lt;net/http&gt;"');
    expect(badgeReport(of([outcome({})]))).toContain(
      "<title>ruby &lt;net/http&gt;: 1 of 1 pass (profile core)</title>",
    );
  });

  test("shows an error with its requirements, the call and the last lines of the driver", () => {
    const lines = stripVTControlCharacters(consoleText(crashed)).split("\n");
    const start = lines.indexOf("Errors:");
    expect(lines.slice(start + 1, start + 6)).toEqual([
      "- The driver ended with exit code 1.",
      "  1 requirement: GEN-12",
      '  In the call {"operation":"getMe"}',
      "  Its last output:",
      "  boom in the middle",
    ]);
    expect(lines.at(-1)).toBe("Exit code 1: 1 requirement ends in an error.");
    expect(markdownReport(crashed)).toContain("boom in the middle");
  });

  test("shows no request of another call with a failure that has none", () => {
    const failure = { expected: "a request", found: "none", exchange: null };
    const result = of([outcome({ verdict: "fail", failure, exchanges: [sampleExchange] })]);
    expect(failedCases(result).flatMap(({ exchanges }) => exchanges)).toEqual([]);
  });

  test("counts the requirements of the client suite that a run leaves out, and does not send to another suite", () => {
    const { notTested } = of([outcome({ ids: ["GEN-9"] })], new Set(["GEN-9", "GEN-10", "LOOK-1"]));
    expect(notTested.map(({ id, reason }) => [id, reason])).toEqual([
      ["GEN-10", "No check of this run verifies it."],
      ["LOOK-1", "No check of this run verifies it."],
    ]);
  });

  test("shows the call, its attempts, its idempotency key and the reply with a request", () => {
    const sent = {
      ...sampleExchange,
      call: { line: '{"operation":"sendEmail"}', reply: '{"result":1}', attempts: ["POST /emails 503"] },
      request: { headers: { "idempotency-key": "work-1" }, body: null },
    };
    const failure = { expected: "a", found: "b", exchange: 0 };
    const result = of([outcome({ verdict: "fail", failure, exchanges: [sent] })]);
    for (const text of [
      stripVTControlCharacters(consoleText(result)),
      junitReport(result),
      markdownReport(result),
    ])
      expect(text).toMatch(
        /call\W+\{.*operation.*sendEmail[\s\S]*attempt\W+POST \/emails 503[\s\S]*reply[\s\S]*Idempotency-Key: work-1/i,
      );
  });

  test("has no empty commands, because the server of a run is stopped", () => {
    const failure = { expected: "a", found: "b", exchange: 0 };
    expect(markdownReport(of([outcome({ verdict: "fail", failure })]))).not.toMatch(/```sh/);
    const server = resultOf([outcome({ verdict: "fail", failure })], []);
    expect(markdownReport(server)).toMatch(/^ {2}curl -i/m);
  });

  test("shows a call and its reply once, with the first of its attempts", () => {
    const call = { line: '{"operation":"getMe"}', reply: '{"result":"one reply"}', attempts: [] };
    const exchanges = [
      { ...sampleExchange, call },
      { ...sampleExchange, call: { ...call, attempts: ["GET /me 503"] } },
      { ...sampleExchange, call },
    ];
    const failure = { expected: "a", found: "b", exchange: 1 };
    const page = htmlReport(of([outcome({ verdict: "fail", failure, exchanges })]));
    expect(page.match(/Call <code>/g)).toHaveLength(2);
    expect(page.match(/Reply <code>/g)).toHaveLength(2);
  });

  test("does not count what is checked in requests and replies as requests", () => {
    const tally = { ids: ["AUTH-6"], title: "no key in the output", responses: 3 };
    const failed = outcome({
      responseChecks: [{ ...tally, failures: [{ expected: "a", found: "b", exchange: sampleExchange }] }],
    });
    expect(htmlReport(of([failed]))).toContain("fails 1 of 3 times");
    expect(junitReport(of([failed]))).toContain("fails 1 of 3 times");
    expect(htmlReport(resultOf([failed], []))).toContain("fails in 1 of 3 responses");
  });

  test("lists the operations that the driver lacks", () => {
    const reason = "The driver does not have the operation getEmail.";
    const text = consoleText(of([outcome({ verdict: "not verified", reason, needs: ["getEmail"] })]));
    const all = Object.keys(operations);
    const lacking = all.filter((id) => !["getMe", "sendEmail"].includes(id));
    expect(text.replaceAll(/\s+/g, " ")).toContain(
      `The driver has 2 of ${all.length} operations; it lacks ${lacking.join(", ")}:`,
    );
  });
});

describe("the command", () => {
  test("rejects expected failures of servers", async () => {
    const folder = folderWith({ "expected.yaml": "- { id: SCHED-11, reason: a rule for servers }\n" });
    const expectedFailures = join(folder, "expected.yaml");
    const run = runClientCommand({ driver: "exit 1", profile: "core", expectedFailures });
    await expect(run).rejects.toThrow(/has SCHED-11, which the client suite does not verify/);
  });

  test("writes no driver in place of a folder", async () => {
    for (const force of [false, true])
      await expect(runClientInit("python", { output: folderWith(), force })).rejects.toThrow(
        force ? /^EISDIR/ : /already exists$/,
      );
  });
});
