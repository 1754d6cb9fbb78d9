import type { OperationId } from "../../generated/operations.ts";
import { responses } from "../../generated/validators/responses.js";
import type { Exchange } from "./exchange.ts";

/** One thing that is wrong with a part of an answer. */
export interface ValidationError {
  instancePath: string;
  params: Record<string, unknown>;
  message?: string;
}

type Row = Record<
  string,
  Record<"body" | "headers", ((data: never) => boolean) & { errors: ValidationError[] | null }>
>;

/** What the document finds wrong with the body or the headers of an answer. */
export function validationErrors(
  part: "body" | "headers",
  exchange: Exchange,
  operation: OperationId,
  key: string,
): ValidationError[] {
  const validator = (responses[operation] as unknown as Row)[key]?.[part];
  if (validator === undefined) throw new Error(`the document has no ${part} for ${operation} ${key}`);
  const data = part === "body" ? exchange.json : exchange.headers;
  return validator(data as never) ? [] : (validator.errors ?? []);
}

/** Where a fault is: the missing property itself, not the object that lacks it. */
export const pointerOf = ({ instancePath, params }: ValidationError): string =>
  "missingProperty" in params ? `${instancePath}/${String(params.missingProperty)}` : instancePath;

/** What is wrong, in words; the alternatives of a schema each find the same fault. */
export const describeErrors = (found: ValidationError[]): string =>
  [...new Set(found.map(faultInWords))].slice(0, 4).join("; ");

const faultInWords = (fault: ValidationError): string =>
  "missingProperty" in fault.params
    ? `${pointerOf(fault)} is missing`
    : `${pointerOf(fault) || "the body"} ${fault.message ?? "is wrong"}`;
