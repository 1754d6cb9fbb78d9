import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { join } from "node:path";
import { childEnvironment } from "../environment.ts";

/** How a run of Redocly ended: its exit status, and what it wrote to standard output and to standard error. */
export interface RedoclyRun {
  status: number | null;
  output: string;
  complaint: string;
}

/**
 * Runs the command line of Redocly, without colours, telemetry and look-ups of newer versions.
 *
 * @param folder where it runs, absolute: the names of files that it prints are relative to it
 * @param signal ends it early
 */
export function redocly(args: string[], folder: string, signal?: AbortSignal): Promise<RedoclyRun> {
  const program = join(createRequire(import.meta.url).resolve("@redocly/cli/package.json"), "../bin/cli.js");
  const env = childEnvironment({
    NO_COLOR: "1",
    FORCE_COLOR: "0",
    REDOCLY_TELEMETRY: "off",
    REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
  });
  return new Promise((settle, reject) => {
    const child = spawn(process.execPath, [program, ...args], {
      cwd: folder,
      env,
      stdio: ["ignore", "pipe", "pipe"],
      ...(signal && { signal }),
    });
    const text = { output: "", complaint: "" };
    child.stdout.setEncoding("utf8").on("data", (part: string) => {
      text.output += part;
    });
    child.stderr.setEncoding("utf8").on("data", (part: string) => {
      text.complaint += part;
    });
    child.on("error", reject).on("close", (status) => settle({ status, ...text }));
  });
}
