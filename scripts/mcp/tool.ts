import { z } from "zod";
import { startOf } from "../../lib/text.ts";
import { usageError } from "../../lib/user-error.ts";

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
export const textField = (description: string) =>
  z.string().min(1).max(8000).optional().describe(description);

/** A part of a text from an offset to the end of a line, and how to get the next part. */
export function partOf(text: string, offset = 0): string {
  if (offset > 0 && offset >= text.length)
    throw usageError(`offset must be less than ${text.length} (got ${offset})`, "Leave it out to start.");
  const rest = text.slice(offset);
  // A small rest is not worth a call.
  if (rest.length <= 1.2 * longest) return rest;
  const cut = startOf(rest, longest);
  const shown = cut.slice(0, cut.lastIndexOf("\n") + 1) || cut;
  const end = offset + shown.length;
  return `${shown}\n[${end} of ${text.length} characters. More: offset ${end}]`;
}
