import { stripVTControlCharacters } from "node:util";
import { z } from "zod";
import { redactor } from "../../contract/engine/secrets.ts";
import { startOf, urlProblem, visible } from "../../lib/text.ts";
import { usageError } from "../../lib/user-error.ts";
import { environment } from "./accounts.ts";

/** Adds a tool. Its function gets the validated input and returns the text for the agent, or throws a UserError that says what to do. */
export type AddTool = <Shape extends z.ZodRawShape>(
  name: string,
  description: string,
  shape: Shape,
  run: (input: z.output<z.ZodObject<Shape>>) => Promise<string> | string,
) => void;

/** Characters of a result: it leaves room for the work of the agent. */
const longest = 8_000;

export const offsetField = z.int().min(0).optional().describe("where the result goes on, as its end says");
const text = z.string().min(1).max(8000);
export const textField = (description: string) => text.optional().describe(description);
export const pathField = (description: string) => text.startsWith("/").optional().describe(description);
/** A base URL without a slash at its end. */
export const urlField = (description: string) =>
  text
    .overwrite((url) => url.replace(/\/+$/, ""))
    .optional()
    .describe(description);

/** Redacts what may be keys: plain URLs are none, and results are full of them. */
const redact = redactor(Object.values(environment).filter(urlProblem));

/** A text as the agent gets it: without colors, hidden characters and keys. */
export const shownText = (text: string): string => redact(visible(stripVTControlCharacters(text)));

/** A part of a text from an offset to the end of a line, and how to get the next part. */
export function partOf(whole: string, offset = 0, option = "offset"): string {
  // A part alone could have a part of a key.
  const text = shownText(whole);
  if (offset > 0 && offset >= text.length)
    throw usageError(`offset must be less than ${text.length} (got ${offset})`, "Leave it out to start.");
  const rest = text.slice(offset);
  // A small rest is not worth a call.
  if (rest.length <= 1.2 * longest) return rest;
  const cut = startOf(rest, longest);
  const lineEnd = cut.lastIndexOf("\n") + 1;
  const shown = lineEnd > longest / 2 ? cut.slice(0, lineEnd) : cut;
  const end = offset + shown.length;
  return `${shown}\n[${end} of ${text.length} characters. More: ${option} ${end}]`;
}
