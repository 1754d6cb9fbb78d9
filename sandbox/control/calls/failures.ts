import { ControlRefusal, json } from "../answer.ts";
import type { ControlCall } from "../call.ts";
import type { Failure } from "../failures.ts";
import { type Input, length, needed, text, whole } from "../input.ts";
import type { GatewayServices } from "../parts.ts";

const kinds = ["500", "500-empty", "502", "503", "delay", "cut"] as const;
type Kind = (typeof kinds)[number];

const state = ({ failures }: GatewayServices) => json({ waiting: failures.waiting().map(line) });

const line = ({ failure, count }: { failure: Failure; count: number }) => ({
  fail: nameOf(failure),
  ...(failure.kind === "delay" ? { delay: failure.milliseconds } : {}),
  calls: count,
});

const nameOf = (failure: Failure): Kind => {
  if (failure.kind !== "status") return failure.kind;
  return failure.status === 500 && !failure.body ? "500-empty" : `${failure.status}`;
};

/** Calls about things that go wrong on purpose. */
export const failureCalls: ControlCall[] = [
  {
    method: "GET",
    path: "/sandbox/failures",
    does: "Lists the failures that calls are still going to meet.",
    run: state,
  },
  {
    method: "POST",
    path: "/sandbox/failures",
    does: "Lets the next `calls` calls of the API (1 where it is left out) `fail`: 500, 500-empty (no body), 502, 503, delay (by `delay`), or cut (the work is done, the answer lost).",
    body: { fail: "503", calls: 2 },
    run: (parts, { input }) => {
      parts.failures.add(failureOf(input), whole(input, "calls", 1, 1_000_000) ?? 1);
      return state(parts);
    },
  },
  {
    method: "DELETE",
    path: "/sandbox/failures",
    does: "Calls the waiting failures off.",
    run: (parts) => {
      parts.failures.clear();
      return state(parts);
    },
  },
];

function failureOf(input: Input): Failure {
  const given = typeof input.fail === "number" ? { ...input, fail: String(input.fail) } : input;
  const name = needed(text(given, "fail", "503"), "fail", "503");
  switch (name) {
    case "500":
      return { kind: "status", status: 500, body: true };
    case "500-empty":
      return { kind: "status", status: 500, body: false };
    case "502":
      return { kind: "status", status: 502, body: true };
    case "503":
      return { kind: "status", status: 503, body: true };
    case "cut":
      return { kind: "cut" };
    case "delay":
      return { kind: "delay", milliseconds: delayOf(input) };
    default:
      throw new ControlRefusal(
        422,
        `\`fail\` is ${JSON.stringify(name.slice(0, 60))}.`,
        `Choose from: ${kinds.join(", ")}.`,
      );
  }
}

/** A delay is waited for in real time, so that a slip of the pen must not hold a caller for ever. */
function delayOf(input: Input): number {
  const milliseconds = needed(length(input, "delay"), "delay", "PT2S");
  if (milliseconds <= 600_000) return milliseconds;
  throw new ControlRefusal(
    422,
    "`delay` is longer than ten minutes.",
    'Send {"fail": "delay", "delay": "PT2S"}.',
  );
}
