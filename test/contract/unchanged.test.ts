import { expect, test } from "vitest";
import { AssertionFailure } from "../../contract/engine/assert.ts";
import { Tester } from "../../contract/engine/tester.ts";
import { type Attempt, assertNothingChanges } from "../../contract/support/unchanged.ts";
import { createRun, openSandbox } from "../mutants/harness.ts";

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
