import { expect, test } from "vitest";
import { envelopeOf } from "../../../sandbox/mail/envelope.ts";
import { leaving } from "../../../sandbox/mail/relay-state.ts";
import { message } from "./messages.ts";

const record = message({
  to: ["ada@example.org", "success@simulator.example"],
  cc: ["ADA@example.org", "bounce@SIMULATOR.example."],
  bcc: ["b@example.org", "b@example.org", "c@sub.simulator.example", "simulator.example@example.org"],
});

test("the envelope has every recipient once, simulated ones too", () => {
  expect(envelopeOf(record)).toEqual({
    from: "hello@example.com",
    to: [
      ...["ADA@example.org", "success@simulator.example", "bounce@SIMULATOR.example.", "b@example.org"],
      ...["c@sub.simulator.example", "simulator.example@example.org"],
    ],
  });
});

test("only recipients at the simulator domain are not relayed", () => {
  expect(leaving(record, "Simulator.Example")).toEqual([
    ...["ADA@example.org", "b@example.org", "c@sub.simulator.example", "simulator.example@example.org"],
  ]);
});
