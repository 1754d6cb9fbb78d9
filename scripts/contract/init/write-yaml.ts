import { stringify } from "yaml";
import { wrapped } from "../../../lib/text.ts";

/** A setting with its description, and its value, or an example that is commented out. */
export interface Line {
  name: string;
  comment: string;
  value: unknown;
  isSet: boolean;
  /** A comment after the value. */
  note?: string;
}

/** A group of settings, commented out as a whole if none is set; or a single setting. */
export type Part = Line | { name: string; comment: string; lines: Line[] };

/** The settings as YAML with comments; removing the `#` of a line sets it. */
export const yamlOf = (parts: readonly Part[]): string =>
  parts.map((part) => ("lines" in part ? group(part) : line(part, "", part.isSet ? "" : "#"))).join("\n\n");

function group({ name, comment, lines }: Extract<Part, { lines: Line[] }>): string {
  const isSet = lines.some((one) => one.isSet);
  const off = isSet ? "" : "#";
  const inner = lines.map((one) => line(one, "  ", off === "" && !one.isSet ? "#" : "", off));
  return [...remark(comment, ""), `${off}${name}:`, ...inner].join("\n");
}

/**
 * @param indent of the line within its group
 * @param off comments out a line of a group that is set
 * @param all comments out a line of a group that is not set
 */
function line({ name, comment, value, note }: Line, indent: string, off: string, all = ""): string {
  const text = stringify({ [name]: value }, { lineWidth: 0 })
    .trimEnd()
    .split("\n");
  const lines = note === undefined ? text : [`${text[0]} # ${printable(note)}`, ...text.slice(1)];
  return [...remark(comment, all + indent), ...lines.map((one) => `${all}${indent}${off}${one}`)].join("\n");
}

const remark = (text: string, before: string): string[] =>
  text === "" ? [] : wrapped(`${before}# ${text}`, `${before}# `).split("\n");

/** A name from the server in one short line. */
const printable = (text: string): string =>
  text
    .replaceAll(/[\p{C}\p{Z}]+/gu, " ")
    .trim()
    .slice(0, 60);
