import type { Field, Input, Operation } from "./operation.ts";
import { ControlError } from "./response.ts";

/**
 * Parses the body of a control request. Its content type does not matter.
 *
 * @throws ControlError for a body that is not a JSON object
 */
export function parseBody(body: Uint8Array | null, operation: Operation): Input {
  if (body === null || body.length === 0) return {};
  try {
    const value: unknown = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
    if (typeof value === "object" && value !== null && !Array.isArray(value)) return value as Input;
  } catch {
    // Rejected below, like JSON of another type.
  }
  const text = new TextDecoder().decode(body);
  const got = text.length > 60 ? `${text.slice(0, 57)}...` : text;
  throw new ControlError(
    422,
    `The body is not a JSON object (got ${JSON.stringify(got)}).`,
    hintOf(operation),
  );
}

/**
 * Rejects a field that the operation does not have, such as a misspelled one.
 *
 * @throws ControlError that names the field and the known ones
 */
export function rejectUnknown({ method, path, fields = {} }: Operation, given: Input): void {
  const unknown = Object.keys(given).find((name) => !Object.hasOwn(fields, name));
  if (unknown === undefined) return;
  const kind = method === "GET" ? "query parameter" : "property";
  const known = Object.keys(fields).map((name) => `\`${name}\``);
  throw new ControlError(
    422,
    `There is no ${kind} \`${unknown.slice(0, 100)}\`.`,
    known.length === 0
      ? `${method} ${path} takes no ${kind}.`
      : `${method} ${path} takes ${known.join(", ")}.`,
  );
}

/**
 * Validates the input of an operation. Unknown fields are ignored: forms have some of their own.
 *
 * @throws ControlError that names the field
 */
export async function validateInput(operation: Operation, given: Input): Promise<Input> {
  const { fields, required = [] } = operation;
  if (fields === undefined) return given;
  const input: Input = { ...given };
  for (const [name, field] of Object.entries(fields)) {
    const value = Object.hasOwn(given, name) ? given[name] : undefined;
    if (value === undefined || value === null) delete input[name];
    else input[name] = coerce(field, value);
  }
  // Loaded on demand: Ajv would delay the first `GET /health`.
  const { describePath, schemaProblems } = await import("../../lib/schema-errors.ts");
  const [problem] = schemaProblems(schemaOf(fields, required), input);
  if (problem === undefined) return input;
  const subject = problem.path.length === 0 ? "The request" : `\`${describePath(problem.path)}\``;
  throw new ControlError(422, `${subject} ${problem.message}.`, hintOf(operation));
}

const hintOf = ({ method, path, example }: Operation): string =>
  example === undefined ? "See GET /sandbox/." : `Example: ${method} ${path} ${JSON.stringify(example)}`;

const schemas = new WeakMap<object, object>();

function schemaOf(properties: Record<string, Field>, required: string[]): object {
  const schema = schemas.get(properties) ?? { type: "object", properties, required };
  schemas.set(properties, schema);
  return schema;
}

/** Queries and forms have only strings. In JSON, a status may be a number, such as the failure 503. */
function coerce({ type, enum: values }: Field, value: unknown): unknown {
  if (typeof value === "string" && isNumeral(value, type)) return Number(value);
  return values !== undefined && typeof value === "number" ? String(value) : value;
}

const isNumeral = (text: string, type: Field["type"]): boolean =>
  type === "number" ? /^\d{1,15}(\.\d{1,15})?$/.test(text) : type !== "string" && /^\d{1,15}$/.test(text);
