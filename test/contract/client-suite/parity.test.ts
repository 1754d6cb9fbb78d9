import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { ClientTester } from "../../../contract/client-suite/engine/client-tester.ts";
import { clientCases } from "../../../contract/client-suite/run-client.ts";
import { runParity } from "../../../contract/client-suite/run-parity.ts";
import { consoleText } from "../../../contract/report/console.ts";
import { expectedFile } from "../../../contract/report/expected.ts";
import { htmlReport } from "../../../contract/report/html.ts";
import { summarize } from "../../../contract/report/summarize.ts";
import type { OperationId } from "../../../generated/operations.ts";
import { isObject } from "../../../lib/objects.ts";
import { runClientCommand, startSandboxService } from "../../../scripts/client-suite/run-command.ts";
import type { CreateDifference } from "../../client-mutants/client-mutant.ts";
import { inProcessDriver } from "../../client-mutants/in-process/driver.ts";
import { sampleExchange } from "../report/samples.ts";

/** These wait for nothing. */
const quick = /^(GEN-1|GEN-9|GEN-12|ME-1|ERR-5|SCHED-9|GEN-10 unknown properties and) /;

/** The titles of what differs between a client and the project's own one. */
async function differences(
  create: CreateDifference,
  expected: Parameters<typeof summarize>[0]["expected"] = [],
) {
  const cases = clientCases("core", quick);
  const run = { cases, startDriver: inProcessDriver(create), startService: startSandboxService };
  const { outcomes } = await runParity({ ...run, concurrency: 2 }, inProcessDriver());
  const against = "node driver.ts";
  const client = {
    name: "a",
    driver: "b",
    operations: [],
    retries: true,
    idempotencyKeys: "automatic",
    timeouts: true,
  };
  const result = summarize({
    information: {
      client: { ...client, idempotencyKeys: "automatic", against },
      baseUrl: "http://127.0.0.1",
      profile: "core",
      runId: "1",
      startedAt: new Date(sampleExchange.startedAt).toISOString(),
      durationMilliseconds: 1,
      waitedMilliseconds: 0,
      requests: 1,
    },
    outcomes,
    expected,
  });
  const failed = result.responseChecks.filter(({ verdict }) => verdict === "fail");
  return { result, titles: failed.map(({ title }) => title) };
}

describe("two clients that are compared", () => {
  it("have no difference if they do the same: ids, keys and times of their runs are no differences", async () => {
    const { result, titles } = await differences(() => ({}));
    expect(titles).toEqual([]);
    expect(result.exitCode).toBe(0);
    expect(result.counts.pass).toBeGreaterThan(8);
  });

  it("differ in headers, paths and bodies of requests, by header and property", async () => {
    const { result, titles } = await differences(() => ({
      send: (request, next) => {
        const { accept: _, ...headers } = request.headers;
        const body = request.body?.toString().replace('"subject":', '"Subject":');
        return next({ ...request, headers, body, url: request.url.replaceAll("%40", "@") });
      },
    }));
    expect(titles).toContain("sends the same header accept: */* in place of application/json");
    expect(titles).toContain("sends the same method and path");
    expect(titles).toContain("sends the same body: subject");
    expect(titles.filter((title) => title.includes("authorization"))).toEqual([]);
    expect(result.exitCode).toBe(1);
  });

  it("differ in results, with one cause for all operations, and in errors", async () => {
    const { result, titles } = await differences(() => ({
      call: async (call, next) => {
        const reply = await next(call);
        if ("error" in reply) return { error: { ...reply.error, type: null, requestId: null } };
        return isObject(reply.result) ? { result: { ...reply.result, id: undefined, extra: 1 } } : reply;
      },
    }));
    expect(titles).toContain("returns the same result: extra");
    expect(titles).toContain("returns the same result: id");
    const expected = result.responseChecks.flatMap(({ title, failures: [first] }) =>
      first && /: (extra|id)$/.test(title) ? [first.expected] : [],
    );
    expect(expected).toContain("extra: none");
    expect(expected.join("\n")).toMatch(/^id: "/m);
    expect(titles).toContain("returns errors with a request id: none in place of an id");
    const causes = result.responseChecks.flatMap(({ failures }) =>
      failures.flatMap(({ cause }) => cause ?? []),
    );
    expect(new Set(causes)).toEqual(new Set(["Results differ in extra", "Results differ in id"]));
    expect(JSON.stringify(result)).not.toMatch(/key_[0-9a-f]{32}/);
  });

  it("have one difference and one entry of a list of expected failures for all unknown error types, whatever the operation", async () => {
    const { result, titles } = await differences(() => ({
      call: async (call, next) => {
        const reply = await next(call);
        return "error" in reply ? { error: { ...reply.error, type: null } } : reply;
      },
    }));
    const ofTypes = titles.filter((title) => title.startsWith("returns errors with the same type"));
    expect(ofTypes.sort()).toEqual([
      "returns errors with the same type: none in place of an unknown type",
      "returns errors with the same type: none in place of not_found",
    ]);
    const entries = parse(expectedFile(result)) as { id: string; case: string; operation?: string }[];
    expect(entries.map((entry) => entry.case).sort()).toEqual(ofTypes);
    expect(entries.filter((entry) => entry.operation !== undefined)).toEqual([]);
  });

  it("differ if one lacks an operation", async () => {
    const { titles } = await differences(() => ({ capabilities: { operations: ["getMe", "sendEmail"] } }));
    expect(titles).toContain("has the operation");
  });

  it.each([
    ["another operation", ["getMe", "getMe"], ["getMe", "listNewsletterLists"]],
    ["fewer calls", ["getMe", "getMe"], ["getMe"]],
  ] as const)("are not compared after %s, and the report says so", async (_, first, second) => {
    const [planned] = clientCases("core", /ME-1/);
    if (planned === undefined) throw new Error("no test case");
    const runs: (readonly OperationId[])[] = [first, second];
    const run = async (tester: ClientTester): Promise<void> => {
      for (const operation of runs.shift() ?? []) await tester.call(operation);
    };
    const cases = [{ ...planned, testCase: { ...planned.testCase, run } }];
    const options = { cases, startDriver: inProcessDriver(), startService: startSandboxService };
    const { outcomes } = await runParity(options, inProcessDriver());
    expect(outcomes[0]?.information.join()).toContain(
      "after the first different call, calls are not compared",
    );
  });

  it("do not differ in whether they still wait after a short time, and the report says so", async () => {
    const [planned] = clientCases("core", /ME-1/);
    if (planned === undefined) throw new Error("no test case");
    const run = async (tester: ClientTester): Promise<void> =>
      void (await tester.call("getMe", { replyTimeout: 300 }));
    const cases = [{ ...planned, testCase: { ...planned.testCase, run } }];
    const waiting = inProcessDriver(() => ({ call: (call, next) => next(call).then(() => pause(60_000)) }));
    const options = { cases, startDriver: waiting, startService: startSandboxService };
    const { outcomes } = await runParity(options, inProcessDriver());
    expect(outcomes[0]?.information.join()).toContain("one client still waited, and is not compared");
    expect(outcomes[0]?.responseChecks.flatMap(({ failures }) => failures)).toEqual([]);
  });

  it("are both named by the reports", async () => {
    const { result } = await differences(() => ({}));
    const both = "a compared with b";
    const named = {
      ...result,
      implementation: { name: "a", version: "2" },
      client: { ...Object(result.client), name: both },
    };
    expect(consoleText(named)).toContain(`\n${both}, profile core`);
    expect(htmlReport(named)).toMatch(/<title>a compared with b: \d+ of/);
    expect(htmlReport(named)).toContain(`<p class="name">${both} `);
  });

  it("are named by the command of a driver that does not start", async () => {
    const driver = "node scripts/client-suite/templates/driver.ts";
    const command = runClientCommand({ profile: "core", driver, against: "exit 7", grep: "AUTH-1" });
    await expect(command).rejects.toThrow(
      "the driver does not start: `exit 7`: The driver ended with exit code 7.",
    );
  });

  it("need two drivers", async () => {
    const options = { profile: "core", driver: "node driver.ts", against: " " } as const;
    await expect(runClientCommand(options)).rejects.toThrow("the driver is missing");
  });

  it("may differ as the list of expected failures allows", async () => {
    const create: CreateDifference = () => ({
      send: (request, next) => next({ ...request, headers: { ...request.headers, accept: "*/*" } }),
    });
    const title = "sends the same header accept: */* in place of application/json";
    const expected = [{ id: "GEN-5", case: title, reason: "The service sends JSON only." }];
    const { result } = await differences(create, expected);
    expect(result.exitCode).toBe(0);
    expect(result.expectedFailures).toMatchObject([{ state: "fails" }]);
  });
});
