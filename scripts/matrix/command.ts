import { resolve } from "node:path";
import type { Command } from "commander";
import type { ReportFiles } from "../../contract/report/write.ts";
import { printLine } from "../../lib/print.ts";
import { visible } from "../../lib/text.ts";
import { usageError } from "../../lib/user-error.ts";
import { action } from "../common/program.ts";

const help = `
Reports with the same name of an implementation are its versions: the latest one
counts, the others are its history.

Exit codes: 0 success, 2 a file is not a report, names no implementation,
contradicts itself, is given twice, has a day after tomorrow, has an exception
without a reason, an owner and a day, or would be overwritten.`;

export function addMatrixCommand(program: Command): void {
  program
    .command("matrix")
    .description("compare published reports: implementations by topic and requirement, with their levels")
    .argument("<reports...>", "JSON reports, which --publish wrote")
    .option("--html <file>", "write a single page")
    .option("--markdown <file>", "write Markdown")
    .option("--json <file>", "write JSON")
    .addHelpText("after", help)
    .action(action(async () => runMatrix));
}

/**
 * The command `matrix`: prints the level of each implementation, and writes the matrix.
 * @returns the exit code, 0
 * @throws UserError with exit code 2 if a file is not a report, names no implementation, contradicts itself, or cannot be written
 */
export async function runMatrix(
  files: readonly string[],
  options: Pick<ReportFiles, "html" | "markdown" | "json"> = {},
): Promise<number> {
  // Imported only now, so that other commands start without the reports.
  const { clientRequirements } = await import("../../contract/client-suite/run-client.ts");
  const { claimIn, matrixJson, matrixMarkdown, readMatrix } = await import("../../contract/report/matrix.ts");
  const { matrixHtml } = await import("../../contract/report/matrix-html.ts");
  const { assertWritable, writeTexts } = await import("../../contract/report/write.ts");
  const targets = Object.values(options).map((file) => resolve(file));
  const overwritten = files.find((file) => targets.includes(resolve(file)));
  if (overwritten !== undefined)
    throw usageError(`${overwritten} is a report that is read`, "Write the matrix to another file.");
  await assertWritable(options);
  const groups = readMatrix(files, clientRequirements);
  const makers = { html: matrixHtml, markdown: matrixMarkdown, json: matrixJson };
  const written = await writeTexts(options, (name) => makers[name as keyof typeof makers](groups));
  for (const { name, version, report } of groups.flatMap(({ implementations }) => implementations))
    printLine(visible(`${name} ${version}: ${claimIn(report).text}`));
  for (const file of written) printLine(`Written: ${file}`);
  return 0;
}
