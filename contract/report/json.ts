import { resolve } from "node:path";
import { readTextFile } from "../../lib/files.ts";
import { attempted, jsonOf } from "../../lib/objects.ts";
import { assertNoProblems, schemaProblems } from "../../lib/schema-errors.ts";
import { usageError } from "../../lib/user-error.ts";
import type { Baseline } from "./baseline.ts";
import schema from "./contract-report.schema.json" with { type: "json" };
import type { ContractResult } from "./result.ts";

/** JSON with lone surrogates replaced, which many parsers reject. */
export const jsonText = (value: unknown): string =>
  `${JSON.stringify(value, (_, inner: unknown) => (typeof inner === "string" ? inner.toWellFormed() : inner), 2)}\n`;

/** The largest report, with thousands of failures, has a tenth of this size. */
const maxMegabytes = 256;
const earlier = "Give the JSON report of an earlier run, which `--json FILE` writes.";

/**
 * Reads a JSON report.
 * @param hint where it comes from
 * @throws UserError with exit code 2 if it is missing, damaged, nested too deep, not a report of this tool, or of a newer format
 */
export function readReport(file: string, hint = earlier): ContractResult {
  const text = readTextFile(resolve(file), { maxMegabytes, hint });
  const report = jsonOf(text);
  if (report === undefined && attempted(() => JSON.parse(text)) !== undefined)
    throw usageError(`${file} has more than 500 levels`, hint);
  if (report === undefined)
    throw usageError(`${file} is not valid JSON: it is damaged, or ends too early`, hint);
  const { tool, format } = (report ?? {}) as { tool?: { name?: unknown } | null; format?: unknown };
  if (tool?.name !== "email-api-contract")
    throw usageError(`${file} is not a report of email-api-contract`, hint);
  const own = schema.properties.format.const;
  if (typeof format === "number" && format > own)
    throw usageError(
      `${file} has the format ${format}; this version reads the format ${own}`,
      "Update email-api-contract, or write the report again with this version.",
    );
  assertNoProblems(schemaProblems(schema, report), { subject: file, hint });
  return report as ContractResult;
}

/**
 * Reads the baseline of a run, if one is given.
 * @throws UserError as `readReport` does, and if one of the two is about a client and the other about a server
 */
export function readBaseline(file: string | undefined, isOfClient: boolean): Baseline | undefined {
  if (file === undefined) return undefined;
  const report = readReport(file);
  if ((report.client !== undefined) === isOfClient) return { file, report };
  const what = report.client === undefined ? "a server" : `the client ${report.client.name}`;
  throw usageError(
    `${file} is the report of ${what}, not of a ${isOfClient ? "client" : "server"}`,
    `Give a report of the command \`${isOfClient ? "client" : "contract"}\`.`,
  );
}
