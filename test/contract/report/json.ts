import type { ContractResult } from "./result.ts";

/** The report in JSON, as `contract-report.schema.json` describes it. */
export const jsonReport = (result: ContractResult): string =>
  `${JSON.stringify(result, null, 2).toWellFormed()}\n`;
