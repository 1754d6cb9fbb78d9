import { spawn } from "node:child_process";
import { mkdtemp, readFile, realpath, rm } from "node:fs/promises";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { childEnvironment } from "../environment.ts";
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
    const { status, text } = await redocly(
      ["bundle", source, "--output", output, "--component-renaming-conflicts-severity", "error"],
      folder,
    );
    if (status !== 0) throw await complaint(text, { source, folder });
    return JSON.parse(await readFile(output, "utf8"));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** Runs the command line of Redocly and collects its exit status and what it wrote to standard error. */
function redocly(args: string[], folder: string): Promise<{ status: number | null; text: string }> {
  const require = createRequire(import.meta.url);
  const program = join(require.resolve("@redocly/cli/package.json"), "../bin/cli.js");
  const env = childEnvironment({
    NO_COLOR: "1",
    FORCE_COLOR: "0",
    REDOCLY_TELEMETRY: "off",
    REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
  });
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [program, ...args], {
      cwd: folder,
      env,
      stdio: ["ignore", "ignore", "pipe"],
    });
    let text = "";
    child.stderr.setEncoding("utf8").on("data", (part: string) => {
      text += part;
    });
    child.on("error", reject).on("close", (status) => resolve({ status, text }));
  });
}
