import { describe, expect, onTestFinished, test } from "vitest";
import type { Fixtures, Settings } from "../../contract/engine/settings.ts";
import { planOf, runPlan } from "../../contract/plan.ts";
import type { OperationId } from "../../generated/operations.ts";
import { demoSettings } from "../mutants/demo.ts";
import { createRun, notPassed, openSandbox } from "../mutants/harness.ts";
import { type Mutant, shows } from "../mutants/mutant.ts";
import { failedRequirements } from "../mutants/mutate/killed.ts";
import { isRequestTo, mistakes, withHeaders } from "../mutants/requests.ts";
import { suppressionMutants } from "../mutants/suppression.ts";
import { casesWith } from "./requested.ts";

interface Options {
  intercept?: Mutant["intercept"];
  grep?: RegExp;
  changes?: (fixtures: Fixtures) => Fixtures;
  profile?: Settings["profile"];
  /** Only test cases of `core` that send requests to it. */
  operation?: OperationId;
}

/** A run on a sandbox behind something, with the waits for the rate limit in milliseconds. */
async function run({ intercept, grep, changes = (same) => same, profile = "full", operation }: Options) {
  const { sandbox, time } = await openSandbox();
  onTestFinished(() => sandbox.close());
  const settings = demoSettings(profile);
  const waits: number[] = [];
  const made = createRun(sandbox, time, {
    settings: { ...settings, fixtures: changes(settings.fixtures) },
    onWait: (milliseconds) => waits.push(milliseconds),
    ...(intercept && { intercept }),
  });
  const plan = planOf(settings, grep);
  const cases = operation === undefined ? plan : await casesWith(operation, plan);
  return { outcomes: await runPlan(made, cases), waits };
}

describe("a server without X-RateLimit-Limit", () => {
  const withoutLimit = shows("HEAD-6", "", (response) =>
    withHeaders(response, { "x-ratelimit-limit": undefined, "x-ratelimit-remaining": undefined }),
  );

  test("fails that header, and the run does not wait as if there were a limit", async () => {
    const { outcomes, waits } = await run({
      intercept: withoutLimit.intercept,
      grep: /HEAD-6|AUTH-1[0-9]|GEN-1 /,
    });
    expect(outcomes.reduce((sum, { requests }) => sum + requests, 0)).toBeGreaterThan(150);
    expect(waits).toEqual([]);
    expect([...failedRequirements(outcomes)].sort()).toEqual(["HEAD-6", "HEAD-7"]);
  });
});

describe("a server without one of the two rate limit headers", () => {
  test.each([
    ["HEAD-6", "x-ratelimit-limit"],
    ["HEAD-7", "x-ratelimit-remaining"],
  ] as const)("fails %s alone without %s", async (id, header) => {
    const { intercept } = shows(id, "", (response) => withHeaders(response, { [header]: undefined }));
    const { outcomes } = await run({ intercept, grep: /HEAD-[67]/ });
    expect([...failedRequirements(outcomes)]).toEqual([id]);
  });
});

test("a list of newsletters with another success passes as the request after the wait of a 429", async () => {
  const { sandbox, time } = await openSandbox();
  onTestFinished(() => sandbox.close());
  const settings: Settings = { ...demoSettings("full"), notImplemented: ["getMe"] };
  const { intercept } = shows("HEAD-8", "", (response, request) =>
    isRequestTo(request, "listNewsletterLists") && response.status === 200
      ? { ...response, status: 203 }
      : undefined,
  );
  const made = createRun(sandbox, time, { settings, intercept });
  const outcomes = await runPlan(made, planOf(settings, /^HEAD-8 a 429/));
  expect(outcomes.map(({ title, verdict }) => `${title}: ${verdict}`)).toContain("after the wait: pass");
  expect(notPassed(outcomes)).toEqual([]);
});

describe("the profile core", () => {
  const ofFields = suppressionMutants.filter(({ title }) =>
    /omits|includes|recipient in \w+ is rejected|a send is .* to, cc and bcc/.test(title),
  );

  test("has mutants of suppression in each field", () => {
    expect(ofFields).toHaveLength(13);
  });

  test.each(ofFields)("fails $requirement if $title", async ({ requirement, intercept }) => {
    const { outcomes } = await run({ intercept, profile: "core", grep: new RegExp(`${requirement} `) });
    expect([...failedRequirements(outcomes)]).toContain(requirement);
  });
});

describe("an account with one suppressed recipient", () => {
  test("passes the profile core", async () => {
    const { outcomes } = await run({
      profile: "core",
      grep: /SEND-3[3-6] |SCHED-[56] |BATCH-12 /,
      changes: (fixtures) => ({ ...fixtures, suppressed: ["gone@readers.example"] }),
    });
    expect(notPassed(outcomes)).toEqual([]);
  });
});

describe("a reschedule without a body", () => {
  const withoutBody = shows("SCHED-9", "", (response, request) => {
    if (!isRequestTo(request, "rescheduleEmail") || response.status >= 300) return undefined;
    return { ...withHeaders(response, { "content-type": undefined }), status: 204, body: undefined };
  });

  test("passes all requirements", async () => {
    const { outcomes } = await run({
      intercept: withoutBody.intercept,
      profile: "core",
      operation: "rescheduleEmail",
    });
    expect(notPassed(outcomes)).toEqual([]);
    expect([...failedRequirements(outcomes)]).toEqual([]);
  });

  test("fails for a cancel, whose response has a status", async () => {
    const canceled = shows("SCHED-15", "", (response, request) =>
      isRequestTo(request, "cancelEmail") && response.status < 300
        ? { ...withHeaders(response, { "content-type": undefined }), status: 204, body: undefined }
        : undefined,
    );
    const { outcomes } = await run({ intercept: canceled.intercept, grep: /SCHED-13 / });
    expect([...failedRequirements(outcomes)]).toContain("GEN-4");
  });
});

describe("an account without a product", () => {
  const grep = /AUTH-(16|18|20) /;

  test("that owns nothing does not verify that requests are rejected for the product", async () => {
    const { outcomes } = await run({
      grep,
      changes: ({ domains, contacts: { noNewsletter: _, ...contacts } = {}, ...rest }) => {
        const { noPlan: __, ...ofRole } = domains?.ofRole ?? {};
        return { ...rest, contacts, domains: { ...domains, ofRole } };
      },
    });
    expect(notPassed(outcomes)).toEqual([
      "not verified: AUTH-16 AUTH-18 sendBatch: Not configured: domains.ofRole.noPlan.",
      "not verified: AUTH-16 AUTH-18 sendEmail: Not configured: domains.ofRole.noPlan.",
      "not verified: AUTH-16 AUTH-20 getContact: Not configured: contacts.noNewsletter.",
      "not verified: AUTH-16 AUTH-20 unsubscribeContact: Not configured: contacts.noNewsletter.",
      "not verified: AUTH-16 AUTH-20 upsertContact: Not configured: contacts.noNewsletter.",
    ]);
  });

  const unknownFirst = mistakes("AUTH-18", "", "402 no_plan", "404 not_found", (request) =>
    isRequestTo(request, "getEmail", "rescheduleEmail", "cancelEmail"),
  );

  test("is not shown by a 404 for a message that it does not have", async () => {
    const { outcomes } = await run({ grep, intercept: unknownFirst.intercept });
    expect(notPassed(outcomes)).toEqual(
      ["cancelEmail", "getEmail", "rescheduleEmail"].map(
        (operation) =>
          `not verified: AUTH-16 AUTH-18 ${operation}: The account of keys.noPlan has no such message, and messages.noPlan is not configured.`,
      ),
    );
  });

  test("must not get a 404 for a message that it has", async () => {
    const { outcomes } = await run({
      grep,
      intercept: unknownFirst.intercept,
      changes: (fixtures) => ({ ...fixtures, messages: { noPlan: "sched_1042" } }),
    });
    const failed = outcomes.filter(({ verdict }) => verdict === "fail");
    expect(new Set(failed.map(({ title }) => title))).toEqual(
      new Set(["getEmail", "rescheduleEmail", "cancelEmail"]),
    );
  });
});
