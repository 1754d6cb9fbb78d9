import { cp, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { examples } from "./examples.ts";
import { installClient, type Project } from "./installed.ts";

/** A project that has the client installed, with statements about its types and the README's examples in it. */
export async function installExamples(): Promise<Project> {
  const project = await installClient();
  await cp(join(import.meta.dirname, "samples/types.ts.txt"), join(project.folder, "types.ts"));
  for (const { code, file } of examples) await writeFile(join(project.folder, file), code);
  return project;
}
