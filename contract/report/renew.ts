import { existsSync } from "node:fs";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { jsonText, readReport } from "./json.ts";
import { claimOf, publishedReport } from "./publish.ts";
import type { ContractResult } from "./result.ts";

/**
 * Writes the published report of a result, unless the file claims the same already.
 * @param isAlways whether it is written in any case, with the time of the run
 * @returns whether it was written
 */
export async function renewReport(file: string, result: ContractResult, isAlways = false): Promise<boolean> {
  const report = publishedReport(result);
  const claim = { ...claimOf(report), startedAt: undefined };
  const isSame =
    existsSync(file) && isDeepStrictEqual(claim, { ...claimOf(readReport(file)), startedAt: undefined });
  if (isSame && !isAlways) return false;
  await mkdir(dirname(file), { recursive: true });
  await writeFile(file, jsonText(report));
  return true;
}
