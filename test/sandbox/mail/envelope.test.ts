import { expect, test } from "vitest";
import { envelopeOf } from "../../../sandbox/mail/envelope.ts";
import { leaving } from "../../../sandbox/mail/relay-state.ts";
import { message } from "./messages.ts";

const record = message({
  to: ["ada@example.org", "success@simulator.example"],
  cc: ["ADA@example.org", "bounce@SIMULATOR.example."],
  bcc: ["b@example.org", "b@example.org", "c@sub.simulator.example", "simulator.example@example.org"],
});

test("the envelope names everyone once, however they are written, simulator addresses too", () => {
  expect(envelopeOf(record)).toEqual({
    from: "hello@example.com",
    to: [
      ...["ADA@example.org", "success@simulator.example", "bounce@SIMULATOR.example.", "b@example.org"],
      ...["c@sub.simulator.example", "simulator.example@example.org"],
    ],
  });
});

test("all but those at the simulator's very domain leave", () => {
  expect(leaving(record, "Simulator.Example")).toEqual([
    ...["ADA@example.org", "b@example.org", "c@sub.simulator.example", "simulator.example@example.org"],
  ]);
});
