import { stripVTControlCharacters } from "node:util";
import type { McpServer } from "@modelcontextprotocol/sdk/server/mcp.js";
import { z } from "zod";
import { redactor } from "../../contract/engine/secrets.ts";
import { printNotice } from "../../lib/print.ts";
import { startOf, urlProblem, visible } from "../../lib/text.ts";
import { fileError, UserError, usageError } from "../../lib/user-error.ts";
import { environment } from "./accounts.ts";
import { inWordsOfTools } from "./words.ts";

/** Characters of a result: it leaves room for the work of the agent. */
const longest = 8_000;

export const offsetField = z.int().min(0).optional().describe("where the result continues, as its end says");
const text = z.string().min(1).max(8000);
export const textField = (description: string) => text.optional().describe(description);
export const pathField = (description: string) =>
  text.regex(/^\//, 'must start with "/"').optional().describe(description);
/** A base URL without a slash at its end. */
export const urlField = (description: string) =>
  text
    .overwrite((url) => url.replace(/\/+$/, ""))
    .refine((url) => urlProblem(url) === undefined, { error: ({ input }) => urlProblem(String(input)) })
    .optional()
    .describe(description);

/** @throws UserError if arguments are given that have no effect with another one */
export function assertUnused(beside: string, others: Record<string, unknown>): void {
  const given = Object.keys(others).filter((name) => others[name] !== undefined);
  if (given.length > 0)
    throw usageError(`${given.join(" and ")} cannot be combined with ${beside}`, "Leave one of them out.");
}

/** Redacts what may be keys: plain URLs are none, and results are full of them. */
const redact = redactor(Object.values(environment).flatMap((one = "") => (urlProblem(one) ? [one] : [])));

/** A text as the agent gets it: without colors, hidden characters and keys. */
const shownText = (text: string): string => redact(visible(stripVTControlCharacters(text)));

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

/**
 * What adds a tool: its function gets the validated input and the signal of a cancellation, and returns the text for the agent, or throws a
 * UserError that says what to do.
 */
export const toolsOf =
  (server: McpServer) =>
  <Shape extends z.ZodRawShape>(
    name: string,
    description: string,
    shape: Shape,
    run: (input: z.output<z.ZodObject<Shape>>, canceled: AbortSignal) => Promise<string> | string,
  ): void => {
    // The types of the SDK are those of several versions of zod.
    const config = { description, inputSchema: z.strictObject(shape) as z.ZodObject };
    server.registerTool(name, config, async (input, { signal }) => {
      try {
        const text = await run(input as Parameters<typeof run>[0], signal);
        return { content: [{ type: "text", text: shownText(text) }] };
      } catch (error) {
        if (!(error instanceof UserError)) printNotice(String(error instanceof Error ? error.stack : error));
        // Its message becomes the result.
        throw new Error(shownText(errorText(fileError(error) ?? error)));
      }
    });
  };
export type AddTool = ReturnType<typeof toolsOf>;

const errorText = (error: unknown): string =>
  error instanceof UserError
    ? inWordsOfTools(`${error.message.replace(/\.$/, "")}. ${error.hint ?? ""}`)
    : `internal error: ${error instanceof Error ? error.message : error}`;
