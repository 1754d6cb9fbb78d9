/** An error that Ajv reports. */
export interface ValidationError {
  instancePath: string;
  params: Record<string, unknown>;
  message?: string;
}

/** A generated validator. */
export type Validate = ((data: unknown) => boolean) & { errors: ValidationError[] | null };

/** The JSON Pointer of an error: to the missing property, not to the object without it. */
export const pointerOf = ({ instancePath, params }: ValidationError): string =>
  "missingProperty" in params ? `${instancePath}/${String(params.missingProperty)}` : instancePath;

/** At most four errors in one line, without duplicates, which alternatives of a schema cause. */
export const describeErrors = (errors: readonly ValidationError[]): string =>
  [...new Set(errors.map(describe))].slice(0, 4).join("; ");

const describe = (error: ValidationError): string =>
  "missingProperty" in error.params
    ? `${pointerOf(error)} is missing`
    : `${pointerOf(error) || "the body"} ${error.message ?? "is invalid"}`;
