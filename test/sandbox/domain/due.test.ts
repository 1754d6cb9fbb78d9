import { describe, expect, test } from "vitest";
import { simulator } from "../../../generated/lifecycles.ts";
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

test("everything happens that is due by then, each thing at its time", () => {
  const { message, counted } = dueSteps(scheduledMessage("a", noon), noon + usualDelays.delivery, rules);
  expect(message).toMatchObject({
    status: "delivered",
    sentAt: noon,
    deliveredAt: noon + usualDelays.delivery,
  });
  expect(counted).toEqual({ recipients: 1, at: noon });
  const early = scheduledMessage("a", noon);
  expect(dueSteps(early, noon - 1, rules)).toEqual({ message: early });
});

describe("the simulated recipients", () => {
  test.each(simulator.recipients.filter((row) => row.states.length > 0))(
    "$localPart goes through $states",
    ({ localPart, states }) => {
      expect(life(sentTo({ to: [`${localPart}@simulator.example`] })).states).toEqual(states);
    },
  );

  test("an address on a block list bounces for good and is never delivered", () => {
    const { states, last } = life(sentTo({ to: ["suppressionlist@simulator.example"] }));
    expect(states).toEqual(["sent", "bounced"]);
    expect(last.bounce).toMatchObject({ permanent: true, subtype: "blocked" });
  });

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

test("a scheduled message is sent at its time, and its recipients count then, those in copy too", () => {
  const message = scheduledMessage("a", noon, { cc: ["cc@example.org"], bcc: ["bcc@example.org"] });
  const step = dueSteps(message, noon + 3, rules);
  expect(step.message).toMatchObject({
    status: "sent",
    sentAt: noon,
    scheduledAt: noon,
    dueAt: noon + usualDelays.delivery,
  });
  expect(step.message.events).toEqual([{ type: "sent", at: noon, detail: null }]);
  expect(step.counted).toEqual({ recipients: 3, at: noon });
});

test("delivery, complaint and bounce leave their times and events", () => {
  const { last } = life(sentTo({ to: ["complaint@simulator.example"] }));
  const delivered = noon + usualDelays.delivery;
  const complained = delivered + usualDelays.complaint;
  expect(last).toMatchObject({
    deliveredAt: delivered,
    complainedAt: complained,
    bouncedAt: null,
    bounce: null,
    dueAt: null,
  });
  expect(last.events.map(({ type, at }) => [type, at])).toEqual([
    ["sent", noon],
    ["delivered", delivered],
    ["complained", complained],
  ]);
  const bounced = life(sentTo({ to: ["bounce@simulator.example"] })).last;
  expect(bounced).toMatchObject({ bouncedAt: noon + usualDelays.bounce, deliveredAt: null });
  expect(bounced.events.at(-1)).toEqual({
    type: "bounced",
    at: noon + usualDelays.bounce,
    detail: bounced.bounce?.diagnostic,
  });
});

test("nothing happens to a message in a state that nothing leads out of", () => {
  const canceled = scheduledMessage("a", noon, { status: "canceled" });
  expect(dueSteps(canceled, noon, rules)).toEqual({ message: { ...canceled, dueAt: null } });
});
