import { describe, expect, onTestFinished, test } from "vitest";
import { check } from "../../contract/engine/check.ts";
import { runCase } from "../../contract/engine/run-case.ts";
import type { Settings } from "../../contract/engine/settings.ts";
import { planOf, runPlan } from "../../contract/plan.ts";
import { annotationsReport } from "../../contract/report/annotations.ts";
import { badgeReport } from "../../contract/report/badge.ts";
import { consoleText } from "../../contract/report/console.ts";
import { exitLine } from "../../contract/report/counts.ts";
import { htmlReport } from "../../contract/report/html.ts";
import { jsonText } from "../../contract/report/json.ts";
import { junitReport } from "../../contract/report/junit.ts";
import { markdownReport } from "../../contract/report/markdown.ts";
import { summarize } from "../../contract/report/summarize.ts";
import { termsOf } from "../../contract/selection.ts";
import { coverageOf, requirementsOf, unverifiable } from "../../contract/verifiable.ts";
import { type OperationId, operations } from "../../generated/operations.ts";
import { runContract } from "../../scripts/contract/contract.ts";
import { runEstimate } from "../../scripts/contract/run-estimate.ts";
import { startTarget } from "../../scripts/contract/targets.ts";
import { allMutants } from "../mutants/all-mutants.ts";
import { demoSettings } from "../mutants/demo.ts";
import { createRun, notPassed, openSandbox, runOnSandbox } from "../mutants/harness.ts";
import { type Mutant, shows } from "../mutants/mutant.ts";
import { failedRequirements } from "../mutants/mutate/killed.ts";
import { isRequestTo, withHeaders } from "../mutants/requests.ts";
import { resultOf } from "./report/samples.ts";
import { casesWith } from "./requested.ts";

describe("a server without some operations, whose configuration says so", () => {
  const notImplemented = ["sendBatch", "rescheduleEmail"] as const;

  test("gets no request to them, and other operations verify the requirements that they share", async () => {
    const { sandbox, time } = await openSandbox();
    onTestFinished(() => sandbox.close());
    const settings = { ...demoSettings("full"), notImplemented };
    const requested: boolean[] = [];
    const { intercept } = shows("BATCH-1", "", (_, request) => {
      requested.push(isRequestTo(request, ...notImplemented));
      return undefined;
    });
    const made = createRun(sandbox, time, { settings, intercept });
    const outcomes = await runPlan(made, planOf(settings, /AUTH-1 |BATCH-|SCHED-|LIMIT-/));
    expect(requested.length).toBeGreaterThan(50);
    expect(requested).not.toContain(true);
    expect(notPassed(outcomes)).toEqual([]);
    const ids = new Set(outcomes.flatMap((one) => one.ids));
    expect(ids).toContain("AUTH-1");
    expect(ids).not.toContain("BATCH-1");
    // A test case that needs one of them on its way has no outcome.
    expect(made.outside.size).toBeGreaterThan(0);
    const result = summarize({
      information: { ...resultOf([], []), profile: "full", notImplemented: [...notImplemented] },
      outcomes,
    });
    expect(result.notTested.find(({ id }) => id === "BATCH-1")?.reason).toBe(
      "The configuration says that it is not implemented: sendBatch.",
    );
    for (const report of [consoleText, markdownReport, htmlReport, jsonText])
      expect(report(result).replaceAll(/\s+/g, " ")).toMatch(/sendBatch(",| and) "?rescheduleEmail/);
    expect(badgeReport(result)).toContain("2 operations not implemented");
  });

  test("responses before one of them count, and the test case does not", async () => {
    const { sandbox, time } = await openSandbox();
    onTestFinished(() => sandbox.close());
    const made = createRun(sandbox, time, {
      settings: { ...demoSettings("full"), notImplemented },
      intercept: () => async (request, next) => {
        const response = await next(request);
        const { "x-service-request-id": _, ...headers } = response.headers;
        return { ...response, headers };
      },
    });
    const needing = check("BATCH-1", "a batch is accepted", {}, async (tester) => {
      await tester.request("getMe");
      await tester.request("sendBatch");
    });
    const outcomes = await Promise.all(needing.cases.map((one) => runCase(made, needing, one)));
    const { requirements, checks, exitCode } = summarize({
      information: resultOf([], []),
      outcomes: outcomes.flat(),
    });
    expect([exitCode, checks]).toEqual([1, []]);
    expect([...made.outside]).toEqual([["BATCH-1", new Set(["sendBatch"])]]);
    expect(requirements.filter(({ verdict }) => verdict === "fail").map(({ id }) => id)).toEqual(["HEAD-1"]);
  });

  test("need not have their methods and paths", async () => {
    const notImplemented: OperationId[] = ["rescheduleEmail", "cancelEmail", "unsubscribeContact"];
    const { sandbox, time } = await openSandbox();
    onTestFinished(() => sandbox.close());
    const settings = { ...demoSettings("full"), notImplemented };
    const { intercept } = shows("HEAD-10", "", (response, { path }) => {
      if (path.endsWith("/unsubscribe")) return { ...response, status: 404 };
      return response.status === 405 && /emails\/(?!batch)/.test(path)
        ? withHeaders(response, { allow: "GET" })
        : undefined;
    });
    const made = createRun(sandbox, time, { settings, intercept });
    expect(notPassed(await runPlan(made, planOf(settings, /ERR-7 |HEAD-10 /)))).toEqual([]);
  });

  const stillFound: Record<string, string[]> = {
    "sendBatch rescheduleEmail": [
      "AUTH-2 canceling another account's object returns 404, but is performed",
      "AUTH-12 cancelEmail without a key is rejected, but performed",
      "ERR-13 a broken percent sequence in the id of a message ends in a 500",
      "ERR-13 a cancellation with a body ends in a 500",
      "HEAD-4 sends in the last two hours of a month do not count",
      "IDEM-8 a replay counts toward the allowance",
      "IDEM-8 a replay of a scheduled send whose message was canceled schedules it again",
      "LIMIT-5 a send that is too large counts toward the allowance",
      "LIMIT-5 of two sends at once only the recipients of the first count",
      "LIMIT-5 several recipients in to count once",
      "LIMIT-6 a canceled message counts when its time comes",
    ],
    getEmail: [
      "HEAD-4 sends in the last two hours of a month do not count",
      "BATCH-7 the messages of a batch before the first invalid one are sent",
      "IDEM-8 a replay counts toward the allowance",
      "LIMIT-5 of two sends at once only the recipients of the first count",
      "LIMIT-5 several recipients in to count once",
      "LIMIT-5 several recipients in to of a batch count once",
    ],
    sendEmail: [
      "BATCH-7 the messages of a batch before the first invalid one are sent",
      "LIMIT-5 several recipients in to of a batch count once",
      "LOOK-6 a message of a batch without tags has those of the one before it",
    ],
    getContact: [
      "AUTH-2 a contact that left another account is not subscribed",
      "CONT-12 accepts a value that is not a number in a custom field of that type",
      "UNSUB-4 of two unsubscribes at once from different lists the second one is lost",
    ],
  };
  const named = Object.entries(stillFound).flatMap(([missing, names]) =>
    names.map((name) => [missing, name]),
  );

  test.each(named)(
    "does not take test cases of others with it: without %s, %s",
    async (missing = "", name = "") => {
      const mutant = (await allMutants()).find(
        ({ requirement, title }) => `${requirement} ${title}` === name,
      );
      const settings = { ...demoSettings("full"), notImplemented: missing.split(" ") as OperationId[] };
      const [id = ""] = name.split(" ");
      const { intercept, deliver } = mutant as Mutant;
      const plans = [planOf(settings, termsOf(id))];
      expect([...failedRequirements(await runOnSandbox({ settings, plans, intercept, deliver }))]).toContain(
        id,
      );
    },
  );

  test("says of a requirement that passes that some of its test cases are left out", async () => {
    const { settings, close } = await startTarget("sandbox", { profile: "email" });
    const own = { ...settings, notImplemented };
    const result = await runContract({ settings: own, grep: termsOf("LOOK-22, SCHED-9") }).finally(close);
    const reason = "Test cases that need rescheduleEmail are outside the run (notImplemented).";
    expect(result.requirements.find(({ id }) => id === "LOOK-22")).toMatchObject({ verdict: "pass", reason });
    expect(result.requirements.map(({ id }) => id)).not.toContain("SCHED-9");
    expect(consoleText(result).replaceAll(/\s+/g, " ")).toContain(`${reason.slice(0, -1)}: LOOK-22`);
  });

  /** What a run without an operation on a sandbox behind something has of the test cases that usually send requests to it. */
  async function runOfOthers(operation: OperationId, intercept?: Mutant["intercept"]) {
    const settings = { ...demoSettings("core"), notImplemented: [operation] };
    const plan = await casesWith(operation, planOf(settings));
    return runOnSandbox({ plans: [plan], settings, ...(intercept && { intercept }) });
  }

  test("fail what the response of another operation shows", async () => {
    const wrong = shows("CONT-1", "", (response, request) =>
      isRequestTo(request, "upsertContact") && response.status === 201
        ? { ...response, status: 200 }
        : undefined,
    );
    for (const operation of ["getContact", "unsubscribeContact"] as const)
      expect(failedRequirements(await runOfOthers(operation, wrong.intercept))).toContain("CONT-1");
  });

  test.each(Object.keys(operations) as OperationId[])(
    "fails nothing on a server that has all others: %s",
    async (operation) => {
      const outcomes = await runOfOthers(operation);
      expect(outcomes.length).toBeGreaterThan(0);
      expect(notPassed(outcomes)).toEqual([]);
    },
  );

  test("does not pass what a change outside the run would have to precede", async () => {
    const outcomes = await runOfOthers("unsubscribeContact");
    expect(outcomes.filter(({ ids }) => ids.includes("UNSUB-3") || ids.includes("UNSUB-10"))).toEqual([]);
  });

  test("counts requests by another operation than getMe", async () => {
    const outcomes = await runOfOthers("getMe");
    const ids = outcomes.flatMap((one) => one.ids);
    for (const id of ["LIMIT-2", "LIMIT-4"]) expect(ids).toContain(id);
  });

  const lists: OperationId[] = ["listNewsletterLists", "listCustomFields"];
  const most: OperationId[] = [
    "sendBatch",
    "rescheduleEmail",
    "cancelEmail",
    "getContact",
    "unsubscribeContact",
  ];

  async function runWithout(missing: OperationId[], grep?: string) {
    const { settings: given, close } = await startTarget("sandbox", { profile: "core" });
    const settings = { ...given, notImplemented: missing };
    const terms = grep === undefined ? undefined : termsOf(grep);
    const result = await runContract({ settings, ...(terms && { grep: terms }) }).finally(close);
    const counted = coverageOf(settings, planOf(settings, terms), terms);
    return { result, counted, usual: requirementsOf(given, planOf(given)) };
  }

  test.each([[[...most, ...lists]], [["getMe", ...lists] as OperationId[]], [["getEmail"] as OperationId[]]])(
    "counts the same before and after a run: %s",
    async (missing) => {
      const { result, counted, usual } = await runWithout(missing);
      expect(counted.all).toBe(result.requirements.length);
      // Each of the others has a reason. What a run with all operations has is counted before it.
      const lost = [...usual].filter((id) => !result.requirements.some((one) => one.id === id));
      const reasonOf = new Map(result.notTested.map(({ id, reason }) => [id, reason]));
      expect(lost.length).toBeGreaterThan(0);
      expect(lost.filter((id) => !/notImplemented|not implemented/.test(reasonOf.get(id) ?? ""))).toEqual([]);
    },
  );

  describe("with the contact operations alone", () => {
    const contacts = ["upsertContact", "getContact", "unsubscribeContact"];
    const missing = (Object.keys(operations) as OperationId[]).filter((id) => !contacts.includes(id));

    /** The settings of a server that nothing can be sent with. */
    const withContacts = (given: Settings): Settings => {
      const { lists, fields, manyFields, contactDomain, contacts } = given.fixtures;
      const fixtures = { lists, fields, manyFields, contactDomain, contacts } as Settings["fixtures"];
      return { ...given, notImplemented: missing, fixtures };
    };

    test("core verifies what all operations share, and asks for no setting that only sends use", async () => {
      const { settings: given, close } = await startTarget("sandbox", { profile: "core" });
      const settings = withContacts(given);
      const result = await runContract({ settings }).finally(close);
      expect([result.exitCode, result.counts.notVerified]).toEqual([0, 0]);
      const passed = result.requirements.map(({ id }) => id);
      for (const id of ["AUTH-12", "AUTH-13", "AUTH-14", "AUTH-16", "AUTH-20", "ERR-7", "ERR-14", "HEAD-10"])
        expect(passed).toContain(id);
      // What is counted before the run; that may be less.
      const counted = [...requirementsOf(settings, planOf(settings))];
      expect(counted.filter((id) => !passed.includes(id))).toEqual([]);
      expect(result.notTested.find(({ id }) => id === "UNSUB-3")?.reason).toBe(
        "Needs sendEmail (notImplemented).",
      );
    });

    test.for(["core", "newsletter", "full"] as const)(
      "%s needs no domain, and sends nothing with one",
      (profile) => {
        const settings = { ...withContacts(demoSettings(profile)), hooks: {} };
        const needs = [...unverifiable(settings, planOf(settings)).values()].flatMap((one) => [...one]);
        expect(
          needs.filter((need) => /^domains|^simulatorDomain|^recipientDomain|^suppressed/.test(need)),
        ).toEqual([]);
        const { fixtures } = demoSettings(profile);
        expect(runEstimate({ ...settings, fixtures }, planOf(settings)).replaceAll("\n", " ")).toContain(
          "sends no messages",
        );
      },
    );

    test("a plan of core keeps every check that lacks nothing", () => {
      const usual = new Set(planOf(demoSettings("core")).map(({ check }) => check));
      const left = planOf({ ...demoSettings("core"), notImplemented: ["sendBatch"] });
      const whole = new Set(left.flatMap(({ check }) => (usual.has(check) ? [check] : [])));
      expect(whole.size).toBeGreaterThan(usual.size / 2);
    });
  });

  test("never passes without a check, and each report says what a requirement needs", async () => {
    const { result, counted } = await runWithout(["getContact"], "MEMB-13");
    expect(counted.all).toBe(0);
    expect(result.exitCode).toBe(3);
    expect(exitLine(result)).toBe("Exit code 3: no check could run.");
    const says = "Needs getContact (notImplemented)";
    expect(result.notTested.find(({ id }) => id === "MEMB-13")?.reason).toBe(`${says}.`);
    for (const report of [consoleText, markdownReport, htmlReport, jsonText, junitReport, annotationsReport])
      expect(report(result)).toContain(says);
  });
});
