import { join } from "node:path";
import {
  getLineColLocation,
  lint,
  lintFromString,
  loadConfig,
  type NormalizedProblem,
} from "@redocly/openapi-core";
import { displayPath } from "../common/display-path.ts";
import { openapiFolder } from "../common/paths.ts";
import type { Finding } from "./finding.ts";

/**
 * Lints the source files with Redocly, with the configuration of this project.
 *
 * @param source the root file of the document, absolute
 * @param text the document, if it is not what the file contains
 */
export async function redoclyFindings(source: string, text?: string): Promise<Finding[]> {
  const config = await loadConfig({ configPath: join(openapiFolder, "lint/redocly.yaml") });
  const problems =
    text === undefined
      ? await lint({ ref: source, config })
      : await lintFromString({ source: text, absoluteRef: source, config });
  return problems.map(finding);
}

function finding({ ruleId, severity, message, location: [at] }: NormalizedProblem): Finding {
  const start = at && getLineColLocation(at).start;
  return {
    tool: "redocly",
    rule: ruleId,
    severity,
    message,
    file: at ? displayPath(at.source.absoluteRef) : "",
    line: start?.line ?? 1,
    column: start?.col ?? 1,
    pointer: at?.pointer ?? "#/",
  };
}
