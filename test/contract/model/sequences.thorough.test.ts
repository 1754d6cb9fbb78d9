import { describe, expect, test } from "vitest";
import { planOf } from "../../../contract/plan.ts";
import { allMutants } from "../../mutants/all-mutants.ts";
import { demoSettings } from "../../mutants/demo.ts";
import { runOnSandbox } from "../../mutants/harness.ts";
import { exploreSandbox } from "./explore.ts";

const settings = demoSettings("model");
const plan = planOf(settings);
const mutants = await allMutants();

test("random sequences match the model on the sandbox, and name the requirements that they verify", async () => {
  const outcomes = await runOnSandbox({ plans: [plan], settings });
  expect(outcomes.map(({ verdict }) => verdict)).toEqual(["pass", "pass", "pass", "pass"]);
  const ids = new Set(outcomes.flatMap((outcome) => outcome.ids));
  for (const id of ["SEND-34", "SCHED-14", "IDEM-2", "MEMB-16", "UNSUB-5"]) expect(ids).toContain(id);
});

describe("a mismatch has at most one step more than the shortest one", () => {
  // With the steps of the shortest sequence that shows the fault, found by hand.
  test.each([
    ["email", 1, "LOOK-9 scheduled_at is null for a scheduled message"],
    ["email", 1, "SEND-34 the response to a send omits suppressed recipients in cc"],
    ["email", 1, "BATCH-9 a message of a batch has one entry per recipient"],
    ["email", 2, "LIMIT-5 recipients in bcc do not count toward the quota"],
    ["email", 2, "IDEM-2 another body of a batch is a conflict with another error type"],
    ["email", 2, "SCHED-13 a canceled message is not found"],
    ["email", 2, "AUTH-2 canceling another account's object returns 404, but is performed"],
    ["email", 2, "SCHED-9 a rescheduled message has the status queued"],
    ["email", 2, "LOOK-5 a canceled message has no subject"],
    ["email", 2, "LOOK-6 the tags of a message are lost when it is moved"],
    ["email", 3, "SCHED-14 rescheduling reactivates a canceled message"],
    ["email", 3, "IDEM-1 the key of a scheduled send is forgotten when the message is moved"],
    ["email", 3, "SCHED-13 the cancellation of a message that was moved to an earlier time has no effect"],
    ["newsletter", 1, "MEMB-11 a contact of a list with double opt-in is subscribed immediately"],
    ["newsletter", 2, "IDEM-1 the key of a contact is ignored"],
    ["newsletter", 2, "CONT-1 adding a contact that is pending on another list returns 200"],
    ["newsletter", 3, "MEMB-17 an upsert makes unsubscribed memberships subscribed"],
    ["newsletter", 3, "UNSUB-5 unsubscribing from one list unsubscribes from all"],
    ["newsletter", 3, "UNSUB-5 unsubscribing from one list clears the tags of the others"],
    ["newsletter", 4, "UNSUB-5 unsubscribing from another list makes confirmed memberships pending"],
  ] as const)("%s operations, %i steps: %s", async (product, shortest, name) => {
    const mutant = mutants.find(({ requirement, title }) => `${requirement} ${title}` === name);
    if (mutant === undefined) throw new Error(`there is no mutant ${name}`);
    const options = { product, sequences: 300, seconds: 60, seed: 1, failures: 1 };
    const { failures } = await exploreSandbox({ ...options, intercept: mutant.intercept });
    const [mismatch] = failures;
    expect(mismatch?.steps.length, JSON.stringify(mismatch?.steps)).toBeGreaterThanOrEqual(1);
    expect(mismatch?.steps.length, JSON.stringify(mismatch?.steps)).toBeLessThanOrEqual(shortest + 1);
  });
});
