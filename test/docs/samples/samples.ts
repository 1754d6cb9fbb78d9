import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { type OperationId, type OperationRow, operations } from "../../../generated/operations.ts";
import { root } from "../../../scripts/common/paths.ts";

/** One request in one language. */
export interface Sample {
  operation: OperationRow & { readonly id: OperationId };
  file: SampleFile;
  /** `sendEmail/curl.sh` */
  name: string;
  code: string;
}

/** The program that runs each file of an operation. */
export const programs = {
  "curl.sh": "sh",
  "client.ts": process.execPath,
  "openapi-fetch.ts": process.execPath,
  "python.py": "python3",
};
export type SampleFile = keyof typeof programs;

const folder = join(root, "docs/samples");

/** The names of all files: `sendEmail/curl.sh`. */
export async function sampleNames(): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const files = entries.filter((entry) => !entry.isDirectory());
  return files.map(({ parentPath, name }) => join(parentPath, name).slice(folder.length + 1)).sort();
}

/** Every sample that there must be. Rejects if one is missing. */
export function readSamples(): Promise<Sample[]> {
  const samples = Object.values(operations).flatMap((operation) =>
    (Object.keys(programs) as SampleFile[]).map(async (file) => {
      const name = `${operation.id}/${file}`;
      return { operation, file, name, code: await readFile(join(folder, name), "utf8") };
    }),
  );
  return Promise.all(samples);
}
