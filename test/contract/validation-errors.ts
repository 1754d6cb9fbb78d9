/** One thing that is wrong with a part of an answer. */
export interface ValidationError {
  instancePath: string;
  params: Record<string, unknown>;
  message?: string;
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
