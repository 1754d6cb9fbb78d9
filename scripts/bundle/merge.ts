import { mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { redocly } from "../redocly.ts";
import { complaint } from "./complaint.ts";

/**
 * Runs Redocly's bundler on a split document and returns what it made, as plain data.
 * It works in a temporary folder, so that no configuration file lying about changes the outcome.
 * Throws a Failure with file, line and column when the document cannot be put together.
 */
export async function redoclyBundle(source: string): Promise<unknown> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), "email-api-bundle-")));
  const output = join(folder, "bundle.json");
  try {
    const { status, complaint: text } = await redocly(
      ["bundle", source, "--output", output, "--component-renaming-conflicts-severity", "error"],
      folder,
    );
    if (status !== 0) throw await complaint(text, { source, folder });
    return JSON.parse(await readFile(output, "utf8"));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
