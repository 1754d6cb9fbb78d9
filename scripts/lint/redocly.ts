import { spawn } from "node:child_process";
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { childEnvironment } from "../environment.ts";
import { Failure } from "../failure.ts";
import { openapiFolder, root } from "../paths.ts";
import { shown } from "../shown.ts";
import type { Finding } from "./finding.ts";

/** A problem in the JSON that `redocly lint` prints; lines and columns count from 1. */
interface Problem {
  ruleId: string;
  severity: "error" | "warn";
  message: string;
  location: { source: { ref: string }; pointer?: string; start?: { line: number; col: number } }[];
}

/**
 * Runs `redocly lint` on the sources, with the configuration of this project.
 *
 * @param source the root file of the document, absolute
 * @param signal ends it early
 * @throws Failure when it did not get as far as linting
 */
export async function redoclyFindings(source: string, signal: AbortSignal): Promise<Finding[]> {
  const { output, complaint } = await run(
    ["lint", source, "--format=json", "--config", join(openapiFolder, "lint/redocly.yaml")],
    signal,
  );
  try {
    const { problems } = JSON.parse(output) as { problems: Problem[] };
    return problems.map(finding);
  } catch (cause) {
    throw new Failure(`Redocly could not lint ${shown(source)}: ${complaint.trim()}`, { cause });
  }
}

function finding({ ruleId, severity, message, location: [at] }: Problem): Finding {
  return {
    tool: "redocly",
    rule: ruleId,
    severity,
    message,
    file: at ? shown(resolve(root, at.source.ref)) : "",
    line: at?.start?.line ?? 1,
    column: at?.start?.col ?? 1,
    pointer: at?.pointer ?? "#/",
  };
}

/** Runs the command line of Redocly in the folder of the package, to which the names of its files are relative. */
function run(args: string[], signal: AbortSignal): Promise<{ output: string; complaint: string }> {
  const program = join(createRequire(import.meta.url).resolve("@redocly/cli/package.json"), "../bin/cli.js");
  const env = childEnvironment({
    NO_COLOR: "1",
    FORCE_COLOR: "0",
    REDOCLY_TELEMETRY: "off",
    REDOCLY_SUPPRESS_UPDATE_NOTICE: "true",
  });
  return new Promise((settle, reject) => {
    const child = spawn(process.execPath, [program, ...args], {
      cwd: root,
      env,
      signal,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const text = { output: "", complaint: "" };
    child.stdout.setEncoding("utf8").on("data", (part: string) => {
      text.output += part;
    });
    child.stderr.setEncoding("utf8").on("data", (part: string) => {
      text.complaint += part;
    });
    child.on("error", reject).on("close", () => settle(text));
  });
}
