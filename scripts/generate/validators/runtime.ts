import type { Format } from "ajv";
import { fullFormats } from "ajv-formats/dist/formats.js";

/** No format but base64 is for texts longer than this. Some of their rules take very long on very long texts. */
const longest = 65_536;

/** The formats that the validators know: those of ajv-formats, and `base64`. */
export const formats: Record<string, Format> = { ...withinLength(fullFormats), base64: isBase64 };

/**
 * Whether a text is base64 with its padding (RFC 4648, section 4). Looks at each character once and keeps no stack:
 * a regular expression over groups of four runs out of stack on the attachments of tens of megabytes this is for.
 */
export function isBase64(text: string): boolean {
  if (text.length % 4 !== 0) return false;
  const padding = text.endsWith("==") ? 2 : text.endsWith("=") ? 1 : 0;
  const stranger = text.search(/[^A-Za-z0-9+/]/);
  return stranger === -1 || stranger === text.length - padding;
}

function withinLength(known: Record<string, Format>): Record<string, Format> {
  return Object.fromEntries(
    Object.entries(known).map(([name, format]) => {
      if (format === true || (typeof format === "object" && "type" in format && format.type === "number")) {
        return [name, format];
      }
      const rule = typeof format === "object" && "validate" in format ? format.validate : format;
      const holds = (text: string): boolean =>
        rule instanceof RegExp ? rule.test(text) : Boolean((rule as Rule)(text));
      return [name, (text: string): boolean => text.length <= longest && holds(text)];
    }),
  );
}

type Rule = (text: string) => unknown;

/** A validator as ajv makes it: tells whether the data holds and leaves what is wrong in `errors`. */
export interface Validator {
  (data: unknown): boolean;
  errors?: object[] | null;
}

/** What a value that travels as text stands for, by name. */
export type Types = Record<string, "string" | "integer" | "number" | "boolean">;

type Values = Record<string, unknown>;

/** A validator of values that travel as text, such as headers: they are read as their types first. */
export function valuesValidator(validate: Validator, types: Types): Validator {
  return withReading(validate, (values) => read(values, types));
}

/** The same for several groups of values: `{ path: { id: "..." }, header: { ... } }`. */
export function groupsValidator(validate: Validator, groups: Record<string, Types>): Validator {
  return withReading(validate, (values) =>
    Object.fromEntries(
      Object.entries(groups).map(([group, types]) => [group, read((values[group] ?? {}) as Values, types)]),
    ),
  );
}

function withReading(validate: Validator, prepare: (values: Values) => Values): Validator {
  const check: Validator = (values) => {
    const holds = validate(prepare((values ?? {}) as Values));
    check.errors = validate.errors ?? null;
    return holds;
  };
  check.errors = null;
  return check;
}

/** The values that have a type, read as that type. A text that is none of the type stays a text, and so is refused. */
function read(values: Values, types: Types): Values {
  const found: Values = {};
  for (const [name, type] of Object.entries(types)) {
    const value = values[name];
    if (value !== undefined) found[name] = typeof value === "string" ? typed(value, type) : value;
  }
  return found;
}

function typed(text: string, type: Types[string]): unknown {
  if (type === "boolean" && (text === "true" || text === "false")) return text === "true";
  if (type === "integer" && /^-?\d+$/.test(text)) return Number(text);
  if (type === "number" && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  return text;
}
