import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { Failure } from "../failure.ts";
import { generatedFolder, root } from "../paths.ts";
import { redocly } from "../redocly.ts";

/**
 * One page by Redocly with everything in it, for those who know that look. It asks nothing of other hosts.
 *
 * @param file where it is written, absolute
 */
export async function writeRedocPage(file: string): Promise<void> {
  const document = join(generatedFolder, "openapi.json");
  const { status, complaint } = await redocly(
    ["build-docs", document, "--output", file, "--inlineBundle"],
    root,
  );
  if (status !== 0) throw new Failure(`Redocly could not build its page: ${complaint.trim()}`);
  const page = await readFile(file, "utf8");
  if (/<(script|link)[^>]+(src|href)="https?:/.test(page))
    throw new Failure("Redocly's page asks other hosts for scripts or styles");
}
