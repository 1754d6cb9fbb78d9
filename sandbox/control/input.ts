import { durationMilliseconds, longest } from "../seed/duration.ts";
import { ControlRefusal } from "./answer.ts";

/** The fields of a call's body: a JSON object, or nothing. */
export type Input = Record<string, unknown>;

/**
 * Reads the body of a control call. What its content type says does not matter: only JSON is taken.
 *
 * @throws ControlRefusal for a body that is not a JSON object
 */
export function inputOf(body: Uint8Array | null): Input {
  if (body === null || body.length === 0) return {};
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Input;
  } catch {
    // Answered below, like JSON of another kind.
  }
  throw new ControlRefusal(422, "The body is not a JSON object.", 'Send something like {"advance": "PT1H"}.');
}

const wrong = (name: string, what: string, example: string): ControlRefusal =>
  new ControlRefusal(422, `\`${name}\` ${what}.`, `Send something like {"${name}": ${example}}.`);

/** A text of the input; undefined where it is left out. */
export function text(input: Input, name: string, example: string): string | undefined {
  const value = input[name];
  if (value === undefined || value === null) return undefined;
  if (typeof value === "string" && value.length > 0 && value.length <= 1000) return value;
  throw wrong(name, "is not a text of 1 to 1000 characters", JSON.stringify(example));
}

/** A whole number of the input; undefined where it is left out. */
export function whole(input: Input, name: string, lowest: number, highest: number): number | undefined {
  const value = input[name];
  if (value === undefined || value === null) return undefined;
  if (Number.isInteger(value) && Number(value) >= lowest && Number(value) <= highest) return Number(value);
  throw wrong(name, `is not a whole number from ${lowest} to ${highest}`, String(Math.max(lowest, 1)));
}

/** How long, in milliseconds: a whole number of them, or a duration in the way of ISO 8601. */
export function length(input: Input, name: string): number | undefined {
  const value = input[name];
  if (value === undefined || value === null) return undefined;
  const milliseconds = typeof value === "string" ? durationMilliseconds(value) : value;
  if (Number.isInteger(milliseconds) && Number(milliseconds) >= 0 && Number(milliseconds) <= longest)
    return Number(milliseconds);
  throw wrong(name, "is neither a duration such as PT1H30M or P3D nor a number of milliseconds", '"PT1H"');
}

/** A time of the input, in milliseconds. */
export function time(input: Input, name: string): number | undefined {
  const value = input[name];
  if (value === undefined || value === null) return undefined;
  const parsed =
    typeof value === "string" && /T.*(Z|[+-]\d\d:\d\d)$/.test(value) ? Date.parse(value) : Number.NaN;
  if (!Number.isNaN(parsed)) return parsed;
  throw wrong(name, "is not a time with an offset", '"2027-01-31T09:00:00Z"');
}

/** What is left out although the call needs it. */
export function needed<Value>(value: Value | undefined, name: string, example: string): Value {
  if (value === undefined) throw wrong(name, "is missing", JSON.stringify(example));
  return value;
}
