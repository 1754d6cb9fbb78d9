import type { ContractResult } from "./result.ts";

/** The report in JSON, as `contract-report.schema.json` describes it. */
export const jsonReport = (result: ContractResult): string => jsonText(result);

/** JSON with lone surrogates replaced, which many parsers reject. */
export const jsonText = (value: unknown): string =>
  `${JSON.stringify(value, (_, inner: unknown) => (typeof inner === "string" ? inner.toWellFormed() : inner), 2)}\n`;
