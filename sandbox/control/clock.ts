import { parseDuration } from "../../lib/text.ts";
import { readTime, writeTimeOrNull } from "../domain/times.ts";
import { ClockEnd } from "../time/clock.ts";
import { ControlError, type Field, type GatewayServices, json, type Operation } from "./operation.ts";

/** A duration in ISO 8601 or in milliseconds. Months and years have no fixed length. */
export const durationField: Field = {
  type: ["string", "integer"],
  description: "a duration such as PT1H30M or P3D, or a number of milliseconds",
  pattern: "^P(?=.)(\\d+W)?(\\d+D)?(T(?=.)(\\d+H)?(\\d+M)?(\\d+(\\.\\d+)?S)?)?$",
  minimum: 0,
};

/** The value of a `durationField` in milliseconds. */
export const millisecondsOf = (value: string | number): number =>
  typeof value === "number" ? value : (parseDuration(value) ?? 0);

const clockState = async ({ clock, store }: GatewayServices) =>
  json({ now: writeTimeOrNull(clock.now()), next_due_at: writeTimeOrNull(await store.nextDue()) });

const example = { advance: "PT1H" };

async function advanceClock(
  services: GatewayServices,
  { advance, to }: { advance?: string | number; to?: string },
) {
  const { clock } = services;
  if ((advance === undefined) === (to === undefined))
    throw new ControlError(
      `Requires either \`advance\` or \`to\` (got ${advance === undefined ? "neither" : "both"}).`,
      `Example: ${JSON.stringify(example)}`,
    );
  const time = to === undefined ? undefined : timeOf(to);
  if (time !== undefined && time < clock.now())
    throw new ControlError(
      `The clock cannot go back to ${to} from ${writeTimeOrNull(clock.now())}.`,
      "Reset the sandbox with POST /sandbox/reset.",
      409,
    );
  try {
    if (time !== undefined) await clock.advanceTo(time);
    else await clock.advance(Math.min(millisecondsOf(advance ?? 0), Number.MAX_SAFE_INTEGER));
  } catch (error) {
    if (!(error instanceof ClockEnd)) throw error;
    throw new ControlError(error.message, "Choose an earlier time.");
  }
  return clockState(services);
}

/** @throws ControlError */
function timeOf(text: string): number {
  const time = readTime(text);
  if (time !== undefined) return time;
  throw new ControlError(
    `\`to\` is not a time with an offset (got "${text.slice(0, 100)}").`,
    'Example: {"to": "2027-01-31T09:00:00Z"}.',
  );
}

export const clockOperations: Operation[] = [
  {
    method: "GET",
    path: "/sandbox/clock",
    summary: "Returns the time of the sandbox, and when the next message is due.",
    run: clockState,
  },
  {
    method: "POST",
    path: "/sandbox/clock",
    summary: "Advances the clock by a duration or to a time. Responds when everything due by then is done.",
    fields: {
      advance: durationField,
      to: { type: "string", description: "a time with an offset, such as 2027-01-31T09:00:00Z" },
    },
    example,
    run: advanceClock,
  },
  {
    method: "POST",
    path: "/sandbox/reset",
    summary:
      "Restores the state of the seed: deletes messages, logged requests and failures, and resets contacts, suppressions and the clock.",
    async run(services) {
      await services.reset();
      return clockState(services);
    },
  },
];
