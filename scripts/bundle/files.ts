import { stringify } from "yaml";
import type { Files } from "../../lib/files.ts";
import { notice } from "../common/notice.ts";
import type { OpenApiDocument } from "../document/types.ts";

/** The bundle as JSON and as YAML, both with the notice at their root (`x-generated`). */
export function bundleFiles(document: OpenApiDocument): Files {
  const { openapi, info, ...rest } = document;
  const marked = { openapi, info, "x-generated": notice, ...rest };
  // YAML 1.1 readers would not take a bare timestamp, `yes` or `on` for a string.
  const yaml = stringify(marked, { aliasDuplicateObjects: false, lineWidth: 110, compat: "yaml-1.1" });
  return new Map([
    ["openapi.json", `${JSON.stringify(marked, null, 2)}\n`],
    ["openapi.yaml", `# ${notice}\n${yaml}`],
  ]);
}
