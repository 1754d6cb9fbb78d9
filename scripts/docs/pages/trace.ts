import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { generatedFolder } from "../../common/paths.ts";
import type { TraceRow } from "../../trace/table.ts";

/** The requirements of `generated/trace.json` with the checks that verify them. */
export async function readTrace(): Promise<TraceRow[]> {
  const text = await readFile(join(generatedFolder, "trace.json"), "utf8");
  return (JSON.parse(text) as { requirements: TraceRow[] }).requirements;
}
