import type { Failure } from "../../api/failures.ts";
import type { GatewayServices, Operation } from "../operation.ts";
import { ControlError, json } from "../response.ts";
import { durationField, millisecondsOf } from "./clock.ts";

/** The failures by name; `delay` also takes a duration. */
const failuresByName = {
  500: { kind: "status", status: 500, body: true },
  "500-empty": { kind: "status", status: 500, body: false },
  502: { kind: "status", status: 502, body: true },
  503: { kind: "status", status: 503, body: true },
  cut: { kind: "cut" },
} as const satisfies Record<string, Failure>;

const example = { failure: "503", requests: 2 };
const longestDelay = 600_000;

const pendingFailures = ({ failures }: GatewayServices) =>
  json({
    failures: failures.pending().map(({ failure, requests }) => ({
      failure: nameOf(failure),
      ...(failure.kind === "delay" && { delay: failure.milliseconds }),
      requests,
    })),
  });

const nameOf = (failure: Failure): string => {
  if (failure.kind !== "status") return failure.kind;
  return failure.body ? String(failure.status) : `${failure.status}-empty`;
};

type FailureInput = {
  failure: keyof typeof failuresByName | "delay";
  delay?: string | number;
  requests?: number;
};

function failureOf({ failure, delay }: FailureInput): Failure {
  if (failure !== "delay") return failuresByName[failure];
  const milliseconds = delay === undefined ? 0 : millisecondsOf(delay);
  if (milliseconds > 0 && milliseconds <= longestDelay) return { kind: "delay", milliseconds };
  throw new ControlError(
    422,
    "`delay` must be from 1 millisecond to 10 minutes.",
    'Example: {"failure": "delay", "delay": "PT2S"}',
  );
}

export const failureOperations: Operation[] = [
  {
    method: "GET",
    path: "/sandbox/failures",
    summary: "Lists the pending failures.",
    run: pendingFailures,
  },
  {
    method: "POST",
    path: "/sandbox/failures",
    summary: "Makes the next API requests fail.",
    fields: {
      failure: {
        type: "string",
        description:
          "an error status (500-empty: without a body), delay (responds late), or cut (processes the request, then closes the connection without a response)",
        enum: [...Object.keys(failuresByName), "delay"],
      },
      requests: {
        type: "integer",
        description: "how many requests fail; default: 1",
        minimum: 1,
        maximum: 1_000_000,
      },
      delay: {
        ...durationField,
        description: "for delay: a duration such as PT2S, or a number of milliseconds; at most 10 minutes",
      },
    },
    required: ["failure"],
    example,
    run(services, input: FailureInput) {
      services.failures.add(failureOf(input), input.requests ?? 1);
      return pendingFailures(services);
    },
  },
  {
    method: "DELETE",
    path: "/sandbox/failures",
    summary: "Removes the pending failures.",
    run(services) {
      services.failures.clear();
      return pendingFailures(services);
    },
  },
];
