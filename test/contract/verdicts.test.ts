import { expect, test } from "vitest";
import { Run } from "../../contract/engine/run.ts";
import type { Settings } from "../../contract/engine/settings.ts";
import type { Exchange } from "../../contract/exchange.ts";
import { planOf, runPlan } from "../../contract/plan.ts";
import { unknownParts } from "../../contract/response-checks/check-response.ts";
import { documented } from "../../contract/response-checks/documented.ts";
import type { OperationId } from "../../generated/operations.ts";
import { startTarget } from "../../scripts/contract/targets.ts";
import { demoSettings } from "../mutants/demo.ts";
import { runOnSandbox } from "../mutants/harness.ts";

test("a hook that lets nothing fail makes errors that name it, and fails no requirement", async () => {
  const { settings, close } = await startTarget("sandbox");
  const hooks = { ...settings.hooks, failNext: () => {} };
  const plan = planOf(settings, /^((ERR-13|ERR-14) a server failure|IDEM-10) /);
  const outcomes = await runPlan(new Run({ settings: { ...settings, hooks } }), plan);
  await close();
  expect(outcomes.length).toBeGreaterThan(5);
  for (const { verdict, reason } of outcomes) {
    expect(verdict).toBe("error");
    expect(reason).toMatch(/^hooks\.failNext had no effect: the next request, (GET|POST) \S+, .* 2/);
  }
});

test("an operation that is not there is said to be, not to leave out fields", async () => {
  const outcomes = await runOnSandbox({
    intercept: () => (request, next) =>
      request.path.endsWith("/emails/batch")
        ? {
            status: 405,
            headers: {},
            body: { error: { type: "method_not_allowed", message: "No.", request_id: "req_1" } },
          }
        : next(request),
    plans: [planOf(demoSettings(), /^ERR-10 missing/)],
  });
  const { failure } = outcomes.find(({ title }) => title === "sendBatch") ?? {};
  expect(failure).toMatchObject({
    expected: "422 invalid_request",
    found: "status 405 method_not_allowed: No.",
  });
});

test("events are not verified if no message has any", async () => {
  const outcomes = await runOnSandbox({
    intercept: () => async (request, next) => {
      const response = await next(request);
      const body = Object(response.body) as object;
      return "events" in body ? { ...response, body: { ...body, events: [] } } : response;
    },
    plans: [planOf(demoSettings(), /^EVENT-1/)],
  });
  expect(outcomes).toMatchObject([{ ids: ["EVENT-1"], verdict: "not verified" }]);
});

test("without getMe, another read uses up the rate limit, and one of each product shows that they share it", async () => {
  const verdicts = async (profile: "email" | "core" | "full", notImplemented: OperationId[]) => {
    const settings: Settings = { ...demoSettings(profile), notImplemented };
    const plans = [planOf(settings, /^(HEAD-[68]|LIMIT-[13]|ERR-16) /)];
    const outcomes = await runOnSandbox({ settings, plans });
    const decided = outcomes.filter(({ isOutside, verdict }) => isOutside !== true && verdict !== "pass");
    expect(decided.map(({ ids, verdict, reason }) => ({ ids, verdict, reason }))).toEqual([]);
    return [...new Set(outcomes.flatMap(({ ids }) => ids))].toSorted();
  };
  const all = ["ERR-16", "HEAD-6", "HEAD-8", "LIMIT-1", "LIMIT-3"];
  expect(await verdicts("full", ["getMe"])).toEqual(all);
  expect(await verdicts("core", ["getMe"])).toContain("LIMIT-3");
  expect(await verdicts("email", ["getMe"])).toEqual(all);
  const reads: OperationId[] = ["getMe", "listNewsletterLists", "listCustomFields"];
  expect(await verdicts("full", [...reads, "getEmail"])).toEqual([]);
});

test("a long text of the server is cut in what a report says of failures", async () => {
  const long = "x".repeat(1_000_000);
  const outcomes = await runOnSandbox({
    intercept: () => async (request, next) => {
      const response = await next(request);
      const error = { type: long, message: long, fields: { [long]: [long] }, request_id: long };
      return response.status === 422 || request.path.endsWith("/me")
        ? { ...response, status: 422, body: { error } }
        : { ...response, body: { ...Object(response.body), [`${long}_at`]: long } };
    },
    plans: [planOf(demoSettings(), /^(ERR-10 missing|SEND-2 |AUTH-1 )/)],
  });
  const failures = outcomes.flatMap(({ failure, responseChecks }) => [
    ...(failure === undefined ? [] : [failure]),
    ...responseChecks.flatMap((one) => one.failures),
  ]);
  expect(failures.length).toBeGreaterThan(10);
  const lengths = failures.map(({ expected, found, cause = "" }) =>
    Math.max(...[expected, found, cause].map((text) => text.length)),
  );
  expect(Math.max(...lengths)).toBeLessThan(2_100);
  expect(failures.map(({ found }) => found)).toContainEqual(
    expect.stringMatching(/^status 422 x+\.\.\. \(\d+ characters in all\)$/),
  );
});

test("null in place of a membership is no error of the suite", async () => {
  const outcomes = await runOnSandbox({
    intercept: () => async (request, next) => {
      const response = await next(request);
      const { lists } = Object(response.body);
      const isContact = request.path.includes("/contacts/") && Array.isArray(lists);
      return isContact
        ? { ...response, body: { ...Object(response.body), lists: [...lists, null] } }
        : response;
    },
    plans: [planOf(demoSettings(), /^(UNSUB|MEMB|CONT)-/)],
  });
  expect(outcomes.filter(({ verdict }) => verdict === "error").map(({ reason }) => reason)).toEqual([]);
});

test("a field that the document does not describe is unknown, whatever its name", () => {
  const response = documented("listNewsletterLists", 200);
  if (response === undefined) throw new Error("the response is not documented");
  const names = ["colour", "constructor", "toString", "__proto__"];
  const list = Object.fromEntries([["id", 1], ["name", "Weekly"], ...names.map((name) => [name, {}])]);
  const exchange = {
    request: { operation: "listNewsletterLists" },
    headers: {},
    json: { lists: [list] },
  } as unknown as Exchange;
  expect(unknownParts(exchange, response)).toEqual(
    names.map((name) => `field lists[].${name} (listNewsletterLists ${response.key})`),
  );
});

test("a failed check of a malformed request says what passes: a redirect only without an operation", async () => {
  const outcomes = await runOnSandbox({
    intercept: () => (request, next) =>
      request.path.endsWith("/v1/%zz") || request.headers.accept === "application/xml"
        ? { status: request.method === "GET" ? 504 : 302, headers: {}, body: undefined }
        : next(request),
    plans: [planOf(demoSettings(), /^ERR-13 a malformed request|what a request accepts/)],
  });
  const failures = outcomes.flatMap(({ title, failure }) =>
    failure === undefined ? [] : [`${title}: ${failure.expected}, ${failure.found}`],
  );
  expect(failures.sort()).toEqual([
    'odd queries and paths: a success, a redirect, a status from 400 to 499, or 501, status 504 for GET "/api/v1/%zz"',
    'sendEmail: a success, a status from 400 to 499, or 501, status 302 for POST "/api/v1/emails"',
    'upsertContact: a success, a status from 400 to 499, or 501, status 302 for POST "/api/v1/newsletter/contacts"',
  ]);
});

test("a mail with a wrongly encoded content id fails, and ends in no error", async () => {
  const outcomes = await runOnSandbox({
    intercept: () => (request, next) => next(request),
    deliver: (mime) => mime.replaceAll(/cid:[^"'\s>]+/g, "cid:%zz"),
    plans: [planOf(demoSettings(), /^ATT-10 /)],
  });
  expect(outcomes.map(({ verdict }) => verdict)).toEqual(["fail"]);
});
