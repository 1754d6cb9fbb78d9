import { count } from "../../lib/count.ts";
import { isTechnical } from "../cases/boundaries.ts";
import type { Place } from "./places.ts";

const units = {
  Length: ["character", "characters"],
  Items: ["entry", "entries"],
  Properties: ["pair", "pairs"],
} as const;

const keywords = ["Length", "Items", "Properties"].flatMap((of) => [`max${of}`, `min${of}`]);
const allKeywords = [...keywords, "maximum", "minimum"];

/** One side of a limit: `subject: 998 characters, accepted`, or `subject: more than 998 characters, rejected`. */
export interface LimitSide {
  label: string;
  isAccepted: boolean;
  /** Whether a value is on this side. */
  matches(value: unknown): boolean;
}

/** Both sides of the limits that a place has. A side that no value can be on is left out, such as less than none. */
export function limitSides({ field, schema }: Place): LimitSide[] {
  return allKeywords.flatMap((keyword) => {
    const limit = schema[keyword];
    if (typeof limit !== "number" || isTechnical(schema, keyword)) return [];
    const isMaximum = keyword.startsWith("max");
    const size = (value: unknown): number => sizeOf(keyword, value, limit);
    const words = amount(keyword, limit);
    const at: LimitSide = {
      label: `${field}: ${words}, accepted`,
      isAccepted: true,
      matches: (value) => size(value) === limit,
    };
    const beyond: LimitSide = {
      label: `${field}: ${isMaximum ? "more" : "less"} than ${words}, rejected`,
      isAccepted: false,
      matches: (value) => (isMaximum ? size(value) > limit : size(value) < limit),
    };
    return limit === 0 && keyword !== "minimum" ? [at] : [at, beyond];
  });
}

function amount(keyword: string, limit: number): string {
  const unit = units[keyword.slice(3) as keyof typeof units];
  return unit === undefined ? String(limit) : count(limit, unit[0], unit[1]);
}

/** NaN for a value of another type. */
function sizeOf(keyword: string, value: unknown, limit: number): number {
  if (typeof value === "number") return keyword.endsWith("imum") ? value : Number.NaN;
  if (typeof value === "string") return keyword.endsWith("Length") ? lengthOf(value, limit) : Number.NaN;
  if (Array.isArray(value)) return keyword.endsWith("Items") ? value.length : Number.NaN;
  const isPairs = typeof value === "object" && value !== null && keyword.endsWith("Properties");
  return isPairs ? Object.keys(value).length : Number.NaN;
}

/** In characters, as in JSON Schema. A character has at most two UTF-16 code units: longer texts need not be counted. */
const lengthOf = (text: string, limit: number): number =>
  text.length > 2 * limit ? text.length : [...text].length;
