import { join, resolve } from "node:path";
import { UserError } from "../../lib/user-error.ts";
import { displayPath } from "../display-path.ts";
import { openapiFolder, root } from "../paths.ts";
import { redocly } from "../redocly.ts";
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
  const { output, complaint } = await redocly(
    ["lint", source, "--format=json", "--config", join(openapiFolder, "lint/redocly.yaml")],
    root,
    signal,
  );
  try {
    const { problems } = JSON.parse(output) as { problems: Problem[] };
    return problems.map(finding);
  } catch (cause) {
    throw new UserError(`Redocly could not lint ${displayPath(source)}: ${complaint.trim()}`, { cause });
  }
}

function finding({ ruleId, severity, message, location: [at] }: Problem): Finding {
  return {
    tool: "redocly",
    rule: ruleId,
    severity,
    message,
    file: at ? displayPath(resolve(root, at.source.ref)) : "",
    line: at?.start?.line ?? 1,
    column: at?.start?.col ?? 1,
    pointer: at?.pointer ?? "#/",
  };
}
