import { styleText } from "node:util";
import { visible, withCodes } from "./text.ts";

/** A sequence that sets colors, as a source of patterns. */
const color = "\u001B\\[[\\d;]*m";
const colors = new RegExp(`(${color})`);
/** GitHub runs a line that begins so, also after spaces of any kind. */
const command = new RegExp(`^((?:[\\p{Zs}\\t]|${color})*):(?=:)`, "gmu");

/**
 * A text as a terminal, and the log of a pipeline, can show it, also with foreign parts: without characters that move the cursor, hide or reorder
 * text, and without what runs as a command of GitHub, Azure or TeamCity (`::set-output`, `##[…]`, `##vso[…]`). Colors stay where there are any.
 */
export function printable(text: string): string {
  const parts = styleText("bold", "a") !== "a" ? text.split(colors) : [text];
  return parts
    .map((part, index) => (index % 2 === 1 ? part : visible(part)))
    .join("")
    .replaceAll(/##(?=[a-z]*\[)/gi, "# #")
    .replaceAll(command, "$1: ");
}

/** Writes a line to standard output, for people. */
export const printLine = (text: string): void => console.log(printable(text));

/** Writes a line to standard error, for people. */
export const printNotice = (text: string): void => console.error(printable(text));

/** Writes JSON to standard output, for programs, with codes for invisible characters. */
export const printJson = (json: string): void =>
  console.log(withCodes(json, /[\u007F-\u009F\p{Cf}\p{Zl}\p{Zp}]/gu));

/** Writes commands to the log of a pipeline, whose foreign parts are escaped already. */
export const printCommands = (text: string): void => console.log(text);
