import { setTimeout as pause } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import type { Call, CallError, Reply } from "../../../contract/client-suite/driver/protocol.ts";
import type { ClientTester } from "../../../contract/client-suite/engine/client-tester.ts";
import { isTime } from "../../../contract/client-suite/engine/compare.ts";
import { clientCases } from "../../../contract/client-suite/run-client.ts";
import { runParity } from "../../../contract/client-suite/run-parity.ts";
import { closesBefore } from "../../../contract/client-suite/service/disturbances.ts";
import type { ExpectedFailure } from "../../../contract/config/load.ts";
import type { CaseOutcome } from "../../../contract/engine/outcome.ts";
import { withBaseline } from "../../../contract/report/baseline.ts";
import { diagnose } from "../../../contract/report/causes.ts";
import { consoleText } from "../../../contract/report/console.ts";
import { expectedFile } from "../../../contract/report/expected.ts";
import { htmlReport } from "../../../contract/report/html.ts";
import { summarize } from "../../../contract/report/summarize.ts";
import { knownErrorTypes } from "../../../contract/response-checks/errors.ts";
import { isObject, mapValues } from "../../../lib/objects.ts";
import { runClientCommand, startSandboxService } from "../../../scripts/client-suite/run-command.ts";
import type { CreateDifference, SentRequest } from "../../client-mutants/client-mutant.ts";
import { inProcessDriver } from "../../client-mutants/in-process/driver.ts";
import { sampleExchange } from "../report/samples.ts";

/** These wait for nothing. */
const quick = /^(GEN-1|GEN-9|GEN-12|ME-1|ERR-5|SCHED-9|GEN-10 unknown properties and) /;

/** The titles of what differs between a client and another one, by default the project's own. */
async function differences(
  create: CreateDifference,
  expected: Parameters<typeof summarize>[0]["expected"] = [],
  other: CreateDifference = () => ({}),
) {
  const cases = clientCases("core", quick);
  const run = { cases, startDriver: inProcessDriver(create), startService: startSandboxService };
  const { outcomes } = await runParity({ ...run, concurrency: 2 }, inProcessDriver(other));
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

/** What differs between a client and the project's own one in a test case. */
async function comparedIn(run: (tester: ClientTester) => Promise<void>, create?: CreateDifference) {
  const [planned] = clientCases("core", /ME-1/);
  if (planned === undefined) throw new Error("no test case");
  const cases = [{ ...planned, testCase: { ...planned.testCase, run } }];
  const options = { cases, startDriver: inProcessDriver(create), startService: startSandboxService };
  const { outcomes } = await runParity(options, inProcessDriver());
  return outcomes[0] as CaseOutcome;
}

const getMe: Call = { operation: "getMe" };

const contactWith = (list_id: unknown): Call => ({
  operation: "upsertContact",
  body: { email: "ada@readers.example", list_id },
});

const ofReplies =
  (change: (reply: Record<string, unknown>) => object): CreateDifference =>
  () => ({ call: async (call, next) => change(await next(call)) as Reply });

const ofErrors = (change: (error: CallError) => CallError): CreateDifference =>
  ofReplies((reply) => ("error" in reply ? { error: change(reply.error as CallError) } : reply));

/** Changes each value in results, the inner ones first. */
const ofResults = (change: (value: unknown) => unknown): CreateDifference =>
  ofReplies((reply) => ("result" in reply ? { result: changed(reply.result, change) } : reply));

function changed(value: unknown, change: (value: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map((one) => changed(one, change));
  return change(isObject(value) ? mapValues(value, (one) => changed(one, change)) : value);
}

const mapNames = (value: object, change: (name: string) => string): object =>
  Object.fromEntries(Object.entries(value).map(([name, one]) => [change(name), one]));

const camelCase = (name: string): string =>
  name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase());

const ofRequests =
  (change: (request: SentRequest) => SentRequest): CreateDifference =>
  () => ({ send: (request, next) => next(change(request)) });

const ofBodies = (change: (body: object) => object): CreateDifference =>
  ofRequests((request) =>
    request.body === undefined
      ? request
      : { ...request, body: JSON.stringify(change(JSON.parse(String(request.body)))) },
  );

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
    expect(titles).toContain("sends the same headers: accept has another value");
    expect(titles).toContain("sends the same method and path: encodes fewer characters");
    expect(titles).toContain("sends the same body: names in another style");
    expect(titles.filter((title) => title.includes("authorization"))).toEqual([]);
    expect(result.exitCode).toBe(1);
  });

  it("differ in results, each difference in one finding for all operations, with the simplest call first", async () => {
    const { result, titles } = await differences(
      ofReplies((reply) =>
        isObject(reply.result) ? { result: { ...reply.result, id: undefined, extra: 1 } } : reply,
      ),
    );
    expect(new Set(titles)).toEqual(
      new Set(["returns the same result: id is missing", "returns the same result: extra is added"]),
    );
    const [first, second, third] = diagnose(result);
    expect(third).toBeUndefined();
    for (const finding of [first, second]) {
      expect(finding?.cause).toMatch(/^In \d+ cases of .*getEmail, .*sendEmail.*: (extra|id)$/);
      expect(finding?.first.expected).toMatch(/^(extra: none|id: ")/);
      const lengths = finding?.cases.map(({ exchanges: [one] }) => one?.call?.line.length ?? 0) ?? [];
      expect(finding?.first.exchanges[0]?.call?.line.length).toBe(Math.min(...lengths));
    }
    expect(JSON.stringify(result)).not.toMatch(/key_[0-9a-f]{32}/);
  });

  it.each<[string, CreateDifference, string[], CreateDifference?]>([
    [
      "fields",
      ofErrors((error) => ({ ...error, fields: null })),
      ["returns the same error of an unknown type: fields is missing"],
    ],
    ["types", ofErrors((error) => ({ ...error, type: null })), ["returns the same error: type is missing"]],
    [
      "error objects",
      ofErrors(({ type: _, fields: __, requestId: ___, ...rest }) => rest),
      ["returns the same error: error object is missing"],
    ],
    [
      "other types",
      ofErrors((error) => ({ ...error, type: error.type?.toUpperCase() ?? null })),
      ["returns the same error: type has another value"],
    ],
    [
      "request ids",
      ofErrors((error) => ({ ...error, requestId: null })),
      ["returns the same error: requestId is missing"],
    ],
    [
      "numbers",
      ofResults((one) => (typeof one === "number" ? String(one) : one)),
      ["returns the same result: string in place of number"],
    ],
    [
      "times",
      ofResults((one) => (isTime(one) ? one.slice(0, 19).replace("T", " ") : one)),
      ["returns the same result: string in place of time"],
    ],
    [
      "names",
      ofResults((one) => (isObject(one) ? mapNames(one, camelCase) : one)),
      ["returns the same result: names in another style"],
    ],
    [
      "an object around results",
      ofReplies((reply) =>
        JSON.stringify(reply.result ?? {}) === "{}" ? reply : { result: { data: reply.result } },
      ),
      ["returns the same result: it is wrapped in `data`"],
    ],
    [
      "an object around results, beside the status",
      ofReplies((reply) => ("result" in reply ? { result: { data: reply.result, status: 200 } } : reply)),
      ["returns the same result: it is wrapped in `data`"],
    ],
    [
      "an object around the results of the other client",
      () => ({}),
      ["returns the same result: it is not wrapped in `data`"],
      ofReplies((reply) =>
        JSON.stringify(reply.result ?? {}) === "{}" ? reply : { result: { data: reply.result } },
      ),
    ],
    [
      "camelCase and nulls",
      ofBodies((body) => mapNames({ ...body, reply_to: null }, camelCase)),
      ["sends the same body: names in another style"],
      ofBodies((body) => ({ ...body, reply_to: null })),
    ],
    [
      "a property in another style beside the original one",
      ofBodies((body) => ("list_id" in body ? { ...body, listId: body.list_id } : body)),
      ["sends the same body: listId is added"],
    ],
    [
      "a property in another style beside the original one of the other client",
      () => ({}),
      ["sends the same body: listId is missing"],
      ofBodies((body) => ("list_id" in body ? { ...body, listId: body.list_id } : body)),
    ],
    [
      "dropped nulls, where another name differs in its style only",
      ofBodies((body) => ({ ...body, headers: { _: "a" } })),
      ["sends the same body: nothing in place of null"],
      ofBodies((body) => ({ ...body, headers: { "-": null, _: "a" } })),
    ],
    [
      "a property in another style with another value",
      ofBodies(({ list_id: id, ...body }: { list_id?: unknown }) => (id ? { ...body, listId: null } : body)),
      ["sends the same body: names in another style", "sends the same body: null in place of number"],
    ],
    [
      "paths that are not encoded",
      ofRequests((request) => ({ ...request, url: request.url.replaceAll(/%(25|40)/g, decodeURIComponent) })),
      ["sends the same method and path: encodes fewer characters"],
    ],
    [
      "a header",
      ofRequests(({ headers: { authorization: _, ...headers }, ...request }) => ({ ...request, headers })),
      ["sends the same headers: authorization is missing"],
    ],
    [
      "decimal points",
      ofRequests(({ body, ...request }) => ({
        ...request,
        body: body?.toString().replace(/"list_id":(\d+)/, '"list_id":$1.0'),
      })),
      ["sends the same body: number with a decimal point in place of number"],
    ],
    [
      "nulls",
      ofBodies((body) => ({ cc: null, bcc: null, ...body })),
      ["sends the same body: null in place of nothing"],
    ],
    [
      "the version in paths",
      ofRequests((request) => ({ ...request, url: request.url.replace("/v1/", "/v2/") })),
      ["sends the same method and path: v2 in place of v1"],
    ],
    [
      "the prefix of paths",
      ofRequests((request) => ({ ...request, url: request.url.replace("/api/v1", "") })),
      ["sends the same method and path: another number of segments"],
    ],
    [
      "ids in paths",
      ofRequests((request) => ({ ...request, url: request.url.replace(/msg_\w+$/, "other") })),
      ["sends the same method and path: another {id}"],
    ],
  ])("have one finding for one cause: %s", async (_, create, expected, other) => {
    const { result, titles } = await differences(create, [], other);
    expect([...new Set(titles)].sort()).toEqual(expected);
    expect(diagnose(result)).toHaveLength(expected.length);
    const entries = parse(expectedFile(result)) as { id: string; case: string; operation?: string }[];
    expect([...new Set(entries.map((entry) => entry.case))].sort()).toEqual(expected);
    expect(entries.filter((entry) => entry.operation !== undefined)).toEqual([]);
  });

  it("do not have a result inside another one if that is empty", async () => {
    const empty = ofReplies((reply) => ("result" in reply ? { result: {} } : reply));
    const { titles } = await differences(() => ({}), [], empty);
    expect(titles).toContain("returns the same result: tags is added");
    expect(titles.filter((title) => title.includes("wrapped"))).toEqual([]);
  });

  it("name the operation of a call without a request", async () => {
    const { result } = await differences(() => ({
      call: (call, next) =>
        call.operation === "getMe" ? Promise.resolve({ error: { kind: "not sent" } }) : next(call),
    }));
    const [finding] = diagnose(result);
    expect(finding?.cause).toMatch(/^In \d+ cases? of getMe: 0 in place of 1$/);
    expect(finding?.first.found).toMatch(/^0, in the call .*, with an error of the kind not sent$/);
  });

  it("say that they differ in errors of unknown types only", async () => {
    const isUnknown = (type: unknown): boolean => typeof type === "string" && !knownErrorTypes.has(type);
    const { titles } = await differences(
      ofErrors((error) => (isUnknown(error.type) ? { ...error, type: null } : error)),
    );
    expect(titles).toEqual(["returns the same error of an unknown type: type is missing"]);
  });

  it("differ if one lacks an operation", async () => {
    const { titles } = await differences(() => ({ capabilities: { operations: ["getMe", "sendEmail"] } }));
    expect(titles).toContain("has the operation");
  });

  it.each([
    ["another operation", [getMe, getMe], [getMe, { operation: "listNewsletterLists" }]],
    ["fewer calls", [getMe, getMe], [getMe]],
    ["other arguments", [getMe, contactWith(1)], [getMe, contactWith("1")]],
  ] as [string, Call[], Call[]][])(
    "are not compared after %s, and the report says so",
    async (_, first, second) => {
      const runs = [first, second];
      const { information, responseChecks } = await comparedIn(async (tester) => {
        for (const { operation, ...options } of runs.shift() ?? []) await tester.call(operation, options);
      });
      expect(information.join()).toContain("after the first different call, calls are not compared");
      expect(responseChecks.flatMap(({ failures }) => failures)).toEqual([]);
    },
  );

  it("show a difference by a call with a response, even if it is longer", async () => {
    const create: CreateDifference = () => ({
      options: { attempts: 1 },
      send: (request, next) => next({ ...request, headers: { ...request.headers, accept: "*/*" } }),
    });
    const { responseChecks } = await comparedIn(async (tester) => {
      await tester.call("getMe", { disturb: [closesBefore] });
      await tester.call("getContact", { path: { email: "ada@readers.example" } });
    }, create);
    const check = responseChecks.find(
      ({ title }) => title === "sends the same headers: accept has another value",
    );
    expect(check?.failures.map(({ exchange }) => exchange?.response.status)).toEqual([404, 0]);
  });

  it("do not differ in whether they still wait after a short time, and the report says so", async () => {
    const waiting: CreateDifference = () => ({ call: (call, next) => next(call).then(() => pause(60_000)) });
    const { information, responseChecks } = await comparedIn(async (tester) => {
      await tester.call("getMe", { replyTimeout: 300 });
    }, waiting);
    expect(information.join()).toContain("one client still waited, and is not compared");
    expect(responseChecks.flatMap(({ failures }) => failures)).toEqual([]);
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

  it("are in the HTML report with their commands and what the differences have in common", async () => {
    const { result } = await differences(ofErrors((error) => ({ ...error, type: null })));
    const report = htmlReport(result);
    expect(report).toContain("<li>b</li><li>node driver.ts</li>");
    expect(report).toMatch(/<dt>Cause<\/dt><dd>In \d+ cases of /);
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
    const title = "sends the same headers: accept has another value";
    const expected = [{ id: "GEN-5", case: title, reason: "The service sends JSON only." }];
    const { result } = await differences(create, expected);
    expect(result.exitCode).toBe(0);
    expect(result.expectedFailures).toMatchObject([{ state: "fails" }]);
  });

  it("may differ only where an entry says", async () => {
    const withNumbers = (...names: string[]) =>
      ofResults((one) =>
        isObject(one) ? mapValues(one, (value, name) => (names.includes(name) ? 1 : value)) : one,
      );
    const { result: first } = await differences(withNumbers("subject"));
    const allowed = parse(expectedFile(first)) as ExpectedFailure[];
    const kind = "returns the same result: number in place of string";
    expect(allowed).toContainEqual(expect.objectContaining({ case: kind, at: ["subject"] }));
    expect((await differences(withNumbers("subject"), allowed)).result.exitCode).toBe(0);
    const { result } = await differences(withNumbers("subject", "status"), allowed);
    expect(result.exitCode).toBe(1);
    expect(consoleText(result).replaceAll(/\s+/g, " ")).toContain(`${kind}; at subject; `);
    const [finding, ...others] = diagnose(result);
    expect(others).toEqual([]);
    expect(finding?.first.found).toMatch(/^status is 1/);
    const againstFirst = withBaseline(first, { file: "first.json", report: first });
    expect(againstFirst.exitCode).toBe(0);
    const withMore = (await differences(withNumbers("subject", "from"))).result;
    expect(withBaseline(withMore, { file: "first.json", report: first }).exitCode).toBe(1);
    const both = parse(expectedFile(result)) as ExpectedFailure[];
    expect(both).toEqual(expect.arrayContaining(allowed));
    const added = both.filter((entry) => !entry.at?.includes("subject"));
    expect(added).toContainEqual(expect.objectContaining({ case: kind, at: ["status"] }));
  });
});
