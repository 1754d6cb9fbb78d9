import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { UserError } from "../../lib/user-error.ts";
import { root } from "../paths.ts";
import { kebab } from "./addresses.ts";
import { block } from "./markdown.ts";

/** One sample: the language's name, and the code as a block. */
export interface Sample {
  title: string;
  block: string;
}

/** The samples by operationId, in one order of languages. */
export type Samples = ReadonlyMap<string, Sample[]>;

/** The files that every operation has, in the order in which they are shown. */
const languages = [
  { file: "curl.sh", title: "curl", language: "sh" },
  { file: "client.ts", title: "TypeScript client", language: "ts" },
  { file: "openapi-fetch.ts", title: "openapi-fetch", language: "ts" },
  { file: "python.py", title: "Python", language: "python" },
];

const folder = join(root, "docs/samples");

/** @throws Failure that names the file when an operation lacks a sample */
export async function readSamples(operationIds: string[]): Promise<Samples> {
  const folders = await readdir(folder);
  const extra = folders.find((name) => !operationIds.map(kebab).includes(name));
  if (extra !== undefined)
    throw new UserError(`docs/samples/${extra} belongs to no operation`, {
      hint: "Name the folder as the operation.",
    });
  const entries = operationIds.map(async (id) => [id, await samplesOf(kebab(id))] as const);
  return new Map(await Promise.all(entries));
}

const samplesOf = (name: string): Promise<Sample[]> =>
  Promise.all(
    languages.map(async ({ file, title, language }) => {
      const text = await readFile(join(folder, name, file), "utf8").catch((cause: unknown) => {
        throw new UserError(`there is no sample docs/samples/${name}/${file}`, {
          hint: "Every operation has a sample in each language.",
          cause,
        });
      });
      return { title, block: block(language, text) };
    }),
  );
