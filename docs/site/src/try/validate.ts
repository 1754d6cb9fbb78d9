import { responses } from "../../../../generated/validators/responses.js";
import type { TryResponse } from "./types.ts";

interface Validator {
  (value: unknown): boolean;
  errors: { instancePath: string; message?: string }[] | null;
}
type Validators = Record<string, { body: Validator; headers: Validator; mayBeEmpty: boolean }>;

/**
 * Compares a response with the document.
 *
 * @param hasHeaders false if the browser hides headers, as it does with those of another host
 */
export function validate(
  operation: string,
  response: TryResponse,
  hasHeaders: boolean,
): {
  valid: boolean;
  text: string;
} {
  const ofOperation = (responses as unknown as Record<string, Validators>)[operation] ?? {};
  const { status, headers, body } = response;
  const name = ofOperation[status] === undefined && status >= 200 && status < 300 ? "2XX" : String(status);
  const validator = ofOperation[name];
  if (validator === undefined) return { valid: false, text: `The document has no response ${status}.` };
  const problem =
    (hasHeaders ? problemOf(validator.headers, Object.fromEntries(headers)) : undefined) ??
    (body === "" && validator.mayBeEmpty ? undefined : bodyProblem(validator.body, body));
  return problem === undefined
    ? {
        valid: true,
        text: hasHeaders ? `Matches the schema of ${name}` : `Status and body match the schema of ${name}`,
      }
    : { valid: false, text: `Does not match the schema of ${name}: ${problem}` };
}

function bodyProblem(validator: Validator, body: string): string | undefined {
  try {
    return problemOf(validator, JSON.parse(body));
  } catch {
    return "the body is not JSON";
  }
}

function problemOf(validator: Validator, value: unknown): string | undefined {
  if (validator(value)) return undefined;
  const [{ instancePath = "", message = "is invalid" } = {}] = validator.errors ?? [];
  return `${instancePath} ${message}`.trim();
}
