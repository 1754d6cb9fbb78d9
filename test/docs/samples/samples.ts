import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type OperationId, type OperationRow, operations } from "../../../generated/operations.ts";
import { root } from "../../../scripts/paths.ts";

/** A sample of the reference: one call in one language. */
export interface Sample {
  operation: OperationRow & { readonly id: OperationId };
  file: SampleFile;
  code: string;
}

/** The files that each operation has, and the program that runs them. */
export const programs = {
  "curl.sh": "sh",
  "client.ts": process.execPath,
  "openapi-fetch.ts": process.execPath,
  "python.py": "python3",
};
export type SampleFile = keyof typeof programs;
export const sampleFiles = Object.keys(programs) as SampleFile[];

/** Where the samples are. */
export const samplesFolder = join(root, "docs/samples");

/** The folder of an operation: its id in small letters. */
export const folderOf = (id: string): string =>
  id.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** What there is, as `folder/file`. */
export async function filesThere(): Promise<string[]> {
  const entries = await readdir(samplesFolder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => !entry.isDirectory());
  return files.map(({ parentPath, name }) => join(parentPath, name).slice(samplesFolder.length + 1)).sort();
}

/** What there must be: every file of every operation. @throws Error of Node's where one is missing */
export function readSamples(): Promise<Sample[]> {
  const wanted = Object.values(operations).flatMap((operation) =>
    sampleFiles.map(async (file) => {
      const code = await readFile(join(samplesFolder, folderOf(operation.id), file), "utf8");
      return { operation, file, code };
    }),
  );
  return Promise.all(wanted);
}
