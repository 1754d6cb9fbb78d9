import { existsSync } from "node:fs";
import { mkdir } from "node:fs/promises";
import { dirname } from "node:path";
import { isDeepStrictEqual } from "node:util";
import { readReport } from "../../contract/report/json.ts";
import { claimOf, publishedReport } from "../../contract/report/publish.ts";
import type { ContractResult } from "../../contract/report/result.ts";
import { writeReports } from "../../contract/report/write.ts";

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
  await writeReports(report, { publish: file });
  return true;
}
