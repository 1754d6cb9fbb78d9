import { describe, expect, test } from "vitest";
import { dueSteps, firstDue, type MailRules, usualDelays } from "../../../sandbox/domain/due.ts";
import type { Message } from "../../../sandbox/domain/records.ts";
import type { DueMessage } from "../../../sandbox/domain/store.ts";
import { noon, scheduledMessage, sentMessage } from "../store/records.ts";

const rules: MailRules = { simulatorDomain: "simulator.example", delays: usualDelays };

/** Lets everything happen to a message, and gives every state it was in. */
function life(message: DueMessage): { states: string[]; last: DueMessage } {
  const states: string[] = [message.status];
  let last = message;
  while (last.dueAt !== null) {
    last = dueSteps(last, last.dueAt, rules).message;
    states.push(last.status);
  }
  return { states, last };
}

const sentTo = (changes: Partial<Message>) => {
  const message = sentMessage("a", changes);
  return { ...message, dueAt: firstDue(message, noon, rules) };
};

describe("the simulated recipients", () => {
  test.each(["BOUNCE@simulator.example", "Bounce@Simulator.Example"])(
    "%s bounces: case does not count",
    (address) => {
      expect(life(sentTo({ to: [address] })).last.status).toBe("bounced");
    },
  );

  test.each([
    "bounce@example.org",
    "bounce@other-simulator.example",
    "bounce@simulator.example.org",
    "nobody@simulator.example",
    "bounced",
  ])("%s is delivered like any other address", (address) => {
    expect(life(sentTo({ to: [address] })).states).toEqual(["sent", "delivered"]);
  });

  test.each([
    { to: ["success", "bounce"], worst: "bounced" },
    { to: ["complaint", "suppressionlist"], worst: "bounced" },
    { to: ["success", "complaint"], worst: "complained" },
  ])("of $to the worst counts: $worst", ({ to, worst }) => {
    const addresses = to.map((name) => `${name}@simulator.example`);
    expect(life(sentTo({ to: addresses })).last.status).toBe(worst);
    expect(
      life(sentTo({ to: ["ada@example.org"], cc: addresses.slice(0, 1), bcc: addresses.slice(1) })).last
        .status,
    ).toBe(worst);
  });
});

test("nothing happens to a message in a state that nothing leads out of", () => {
  const canceled = scheduledMessage("a", noon, { status: "canceled" });
  expect(dueSteps(canceled, noon, rules)).toEqual({ message: { ...canceled, dueAt: null } });
});
