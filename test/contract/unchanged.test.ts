import { expect, test } from "vitest";
import { AssertionFailure } from "../../contract/engine/assert.ts";
import { Tester } from "../../contract/engine/tester.ts";
import { planOf } from "../../contract/plan.ts";
import { type Attempt, assertNothingChanges } from "../../contract/support/unchanged.ts";
import { demoSettings } from "../mutants/demo.ts";
import { isBatch, isSend } from "../mutants/email.ts";
import { withBody } from "../mutants/fault-support.ts";
import { createRun, openSandbox, runOnSandbox } from "../mutants/harness.ts";
import type { MutantRequest, MutantResponse } from "../mutants/mutant.ts";
import { failedRequirements } from "../mutants/mutate/killed.ts";
import { isError, sentMessages } from "../mutants/requests.ts";
import { withoutKey } from "../mutants/same-key.ts";

const open = await openSandbox();
const run = createRun(open.sandbox, open.time);
const newTester = (): Tester => new Tester(run);

const look: Attempt = (tester) => tester.request("getMe");
const cancel: Attempt = (tester, path) => tester.request("cancelEmail", { path });
/** As a server that does something with a request that it does not name. */
const secretly =
  (attempt: Attempt): Attempt =>
  async (tester, path) => {
    await attempt(tester, path);
    return tester.request("listCustomFields");
  };

test("requests that change nothing pass with one look before and one after them", async () => {
  const tester = newTester();
  await assertNothingChanges(tester, "sends", [look, look, look]);
  expect(tester.exchanges.map(({ request }) => request.operation)).toEqual([
    ...["sendEmail", "getEmail", "sendEmail", "cancelEmail"],
    ...["getMe", "getMe", "getMe"],
    ...["getEmail", "sendEmail", "cancelEmail"],
  ]);
});

test("a change is found among the requests, and named", async () => {
  const attempts = [look, look, secretly(cancel), look];
  const failure = await assertNothingChanges(newTester(), "sends", attempts).catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(AssertionFailure);
  expect((failure as AssertionFailure).exchange?.request.operation).toBe("listCustomFields");
  expect((failure as AssertionFailure).message).toBe(
    'expected the message as before: status "scheduled", got status "canceled"',
  );
});

test("a contact that leaves is a change of the one that stays", async () => {
  const leave: Attempt = (tester, path) => tester.request("unsubscribeContact", { path, body: {} });
  const failing = assertNothingChanges(newTester(), "newsletter", [secretly(leave)]);
  await expect(failing).rejects.toThrow(
    "the contact as before: marketing_blocked false, got marketing_blocked true",
  );
});

test.each<
  [string, string[], (request: MutantRequest, response: MutantResponse) => MutantRequest | undefined]
>([
  [
    "a batch that is rejected with 422 sends its first message",
    ["BATCH-7", "LIMIT-5"],
    (request, response) =>
      isBatch(request) && isError(response, 422, "invalid_request") && sentMessages(request).length > 1
        ? withBody(request, () => ({ emails: sentMessages(request).slice(0, 1) }))
        : undefined,
  ],
  [
    "a send that is rejected with 409 is sent from another domain",
    ["ERR-8", "LIMIT-5"],
    (request, response) =>
      isSend(request) && response.status === 409
        ? withBody(request, (body) => ({ ...body, from: "orders@bakery.example" }))
        : undefined,
  ],
])("%s: the check of rejected sends fails for %j", async (_, ids, effect) => {
  const outcomes = await runOnSandbox({
    plans: [planOf(demoSettings(), /a rejected send or batch sends nothing/)],
    intercept: () => async (request, next) => {
      const response = await next(request);
      const sent = effect(request, response);
      if (sent !== undefined) await next(withoutKey(sent));
      return response;
    },
  });
  expect([...failedRequirements(outcomes)].sort()).toEqual(ids);
});
