import { expect, test } from "vitest";
import type { Settings } from "../../contract/engine/settings.ts";
import { planOf } from "../../contract/plan.ts";
import { isObject } from "../../lib/objects.ts";
import { demoSettings } from "../mutants/demo.ts";
import { runOnSandbox } from "../mutants/harness.ts";
import type { Interceptor, SandboxContext } from "../mutants/mutant.ts";

const title = "a rejected write has no effect later";

/** What the test case about rejected writes says of a conforming server. */
async function verdictOn(settings: Settings, intercept: (context: SandboxContext) => Interceptor) {
  const outcomes = await runOnSandbox({
    settings,
    plans: [planOf(settings, /^LIMIT-1 requests/)],
    intercept,
  });
  return outcomes.flatMap((one) => (one.title === title ? [one.failure ?? one.reason ?? one.verdict] : []));
}

test("a write after the minute of the rejected request may have an effect", async () => {
  const found = await verdictOn(demoSettings(), ({ bearer, control }) => {
    let isOver = false;
    return async (request, next) => {
      const response = await next(request);
      const isRejected = request.headers.authorization === bearer("burst") && response.status === 429;
      if (isRejected && !isOver) await control("POST", "/sandbox/clock", { advance: "PT61S" });
      isOver ||= isRejected;
      return response;
    };
  });
  expect(found).toEqual(["A request right after the rejected one was accepted."]);
});

test("without a read that needs no id, the message that is looked up is not delivered between the minutes", async () => {
  const settings: Settings = { ...demoSettings("email"), notImplemented: ["getMe"] };
  const found = await verdictOn(settings, () => {
    let isOver = false;
    return async (request, next) => {
      const response = await next(request);
      isOver ||= response.status === 429;
      const { body } = response;
      // Deliveries take a while.
      const isEarly = isObject(body) && body.status === "delivered" && !isOver;
      return isEarly ? { ...response, body: { ...body, status: "sent", delivered_at: null } } : response;
    };
  });
  expect(found).toEqual(["pass"]);
});
