import { createHash } from "node:crypto";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { filesIn } from "../../lib/files.ts";
import { root } from "../common/paths.ts";

/** What generation reads: the document, the checks for the trace, the schemas, the code that generates, the versions of its tools. */
const inputs = [
  "openapi",
  "contract",
  "scripts",
  "lib",
  "sandbox/seed/seed.schema.json",
  "package-lock.json",
];

/** Never in the tree: a fresh clone generates once. */
const recordOf = (project: string): string => join(project, "node_modules/.cache/generated-from");

/** Whether `generated/` is as the last generation left it, and nothing that it was generated from has changed since. */
export async function isFresh(project = root): Promise<boolean> {
  const recorded = await readFile(recordOf(project), "utf8").catch(() => "");
  return recorded === `${await hashOfInputs(project)} ${await hashOf(project, ["generated"])}`;
}

/** The hash of the inputs, to be taken before a generation reads them. */
export const hashOfInputs = (project = root): Promise<string> => hashOf(project, inputs);

/** Records that `generated/` has been generated from inputs with this hash. */
export async function recordFresh(inputHash: string, project = root): Promise<void> {
  const record = recordOf(project);
  await mkdir(dirname(record), { recursive: true });
  await writeFile(record, `${inputHash} ${await hashOf(project, ["generated"])}`);
}

/** A hash of the names and contents of files, and of all files in folders. */
async function hashOf(project: string, names: string[]): Promise<string> {
  const listed = names.map(async (name) => {
    if (name.endsWith(".json")) return [name];
    return (await filesIn(join(project, name))).map((file) => join(name, file));
  });
  const files = (await Promise.all(listed)).flat().sort();
  const texts = await Promise.all(files.map((file) => readFile(join(project, file))));
  const hash = createHash("sha256");
  for (const [index, file] of files.entries()) hash.update(`${file}\0`).update(texts[index] ?? "");
  return hash.digest("hex");
}
