import type { Format } from "ajv";
import { fullFormats } from "ajv-formats/dist/formats.js";
import { lineBreaks } from "../../../lib/text.ts";
import type { ParameterTexts, Texts } from "./requests.types.ts";

/** The maximum length for formats other than base64; some of their rules are very slow for long texts. */
const longest = 65_536;

const known = withinLength(fullFormats);

/** The supported formats: those of ajv-formats, whose `date-time` requires an offset, `date-time-in-utc` and `base64`. */
export const formats: Record<string, Format> = {
  ...known,
  "date-time-in-utc": (text: string) =>
    /(?:Z|[+-]00:00)$/.test(text) && (known["date-time"] as (text: string) => boolean)(text),
  base64: isBase64,
};

/**
 * Whether a text is base64 with padding (RFC 4648, section 4); line breaks are allowed. The number of characters is checked
 * separately: a regular expression over groups of four exceeds the stack for attachments of tens of megabytes.
 */
export function isBase64(text: string): boolean {
  return /^[A-Za-z0-9+/\r\n]*(?:=[\r\n]*){0,2}$/.test(text) && (text.length - lineBreaks(text)) % 4 === 0;
}

function withinLength(known: Record<string, Format>): Record<string, Format> {
  return Object.fromEntries(
    Object.entries(known).map(([name, format]) => {
      if (format === true || (typeof format === "object" && "type" in format && format.type === "number"))
        return [name, format];
      const rule = typeof format === "object" && "validate" in format ? format.validate : format;
      const matches = (text: string): boolean =>
        rule instanceof RegExp ? rule.test(text) : Boolean((rule as (text: string) => unknown)(text));
      return [name, (text: string): boolean => text.length <= longest && matches(text)];
    }),
  );
}

/** A validator as ajv compiles it: returns whether the data is valid and keeps the errors of the last call. */
export interface Validator {
  (data: unknown): boolean;
  errors?: object[] | null;
}

export type ScalarType = "string" | "integer" | "number" | "boolean";

/** How a value is read from text: as a scalar, or as an array of them, which is repeated or has a separator. */
export type TextType = ScalarType | readonly [items: ScalarType, separator?: ","];

export type TextTypes = Readonly<Record<string, TextType>>;

type Values = Record<string, unknown>;

/** A validator of values that travel as text, such as headers: they are read as their types first. */
export function valuesValidator(validate: Validator, types: TextTypes): Validator {
  const check: Validator = (texts) => {
    const valid = validate(read(texts as Texts, types));
    check.errors = validate.errors ?? null;
    return valid;
  };
  check.errors = null;
  return check;
}

/** A validator of the parameters of an operation, which also returns them as their types. */
export interface ParametersValidator extends Validator {
  parse(texts: ParameterTexts): { values: Record<keyof ParameterTexts, Values>; errors: object[] | null };
}

/** The validator of parameters that are read as these types, by group. */
export function parametersValidator(
  validate: Validator,
  types: Partial<Record<keyof ParameterTexts, TextTypes>>,
): ParametersValidator {
  const parse: ParametersValidator["parse"] = ({ path = {}, query = {}, header = {} }) => {
    const values = {
      path: read(path, types.path),
      query: read(query instanceof URLSearchParams ? textsOf(query) : (query as Texts), types.query),
      header: read(header, types.header),
    };
    return { values, errors: validate(values) ? null : (validate.errors ?? null) };
  };
  const check: ParametersValidator = Object.assign(
    (texts: unknown) => {
      check.errors = parse(texts as ParameterTexts).errors;
      return check.errors === null;
    },
    { parse, errors: null },
  );
  return check;
}

/** The parameters of a query string; one that is repeated is a list. */
const textsOf = (query: URLSearchParams): Texts =>
  Object.fromEntries(
    [...new Set(query.keys())].map((name) => {
      const [first, ...others] = query.getAll(name);
      return [name, others.length === 0 ? first : [first ?? "", ...others]];
    }),
  );

/** The values that have a type, read as that type. Text that is not of the type stays text, and so is invalid. */
function read(texts: Texts, types: TextTypes = {}): Values {
  const found: Values = {};
  for (const [name, type] of Object.entries(types)) {
    const text = texts[name];
    if (text !== undefined) found[name] = typed(text, type);
  }
  return found;
}

function typed(text: string | readonly string[], type: TextType): unknown {
  if (typeof type !== "string") {
    const [items, separator] = type;
    const texts = typeof text !== "string" ? text : separator === undefined ? [text] : text.split(separator);
    return texts.map((item) => typed(item, items));
  }
  if (typeof text !== "string") return text;
  if (type === "boolean" && (text === "true" || text === "false")) return text === "true";
  if (type === "integer" && /^-?\d+$/.test(text)) return Number(text);
  if (type === "number" && /^-?\d+(\.\d+)?$/.test(text)) return Number(text);
  return text;
}
