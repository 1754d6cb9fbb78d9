import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { UserError } from "../../../lib/user-error.ts";
import { root } from "../../common/paths.ts";
import { codeBlock } from "../text/markdown.ts";

export interface Sample {
  /** The name of the language. */
  title: string;
  block: string;
}

/** The samples by operationId. */
export type Samples = ReadonlyMap<string, Sample[]>;

/** The files in the folder of each operation, in the order of their tabs. */
const languages = [
  { file: "curl.sh", title: "curl", language: "sh" },
  { file: "client.ts", title: "TypeScript client", language: "ts" },
  { file: "openapi-fetch.ts", title: "openapi-fetch", language: "ts" },
  { file: "python.py", title: "Python", language: "python" },
];

/**
 * Reads `docs/samples/<operationId>/`.
 *
 * @throws UserError that names a missing file, or a folder without an operation
 */
export async function readSamples(operationIds: string[]): Promise<Samples> {
  const folders = await readdir(join(root, "docs/samples"));
  const stray = folders.find((name) => !operationIds.includes(name));
  if (stray !== undefined)
    throw new UserError(`docs/samples/${stray}/ belongs to no operation`, {
      hint: "Name the folder after an operationId, or remove it.",
    });
  const samples = operationIds.map(async (id) => [id, await samplesOf(id)] as const);
  return new Map(await Promise.all(samples));
}

const samplesOf = (id: string): Promise<Sample[]> =>
  Promise.all(
    languages.map(async ({ file, title, language }) => {
      const name = `docs/samples/${id}/${file}`;
      const text = await readFile(join(root, name), "utf8").catch((cause: unknown) => {
        throw new UserError(`the sample ${name} is missing`, {
          hint: "Every operation needs a sample in each language; copy one of another operation.",
          cause,
        });
      });
      return { title, block: codeBlock(language, text) };
    }),
  );
