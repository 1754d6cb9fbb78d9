import type { ContractResult } from "./result.ts";

/** The report in JSON, as `contract-report.schema.json` describes it. */
export const jsonReport = (result: ContractResult): string => jsonText(result);

/** JSON for files: halves of a pair, which many readers refuse, are replaced. */
export const jsonText = (value: unknown): string =>
  `${JSON.stringify(value, (_, inner: unknown) => (typeof inner === "string" ? inner.toWellFormed() : inner), 2)}\n`;
