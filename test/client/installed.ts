import { cp, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { buildClient } from "../../client/build.ts";
import { root } from "../../scripts/common/paths.ts";
import { type Compiler, compile } from "../compiler.ts";

/** A project with the packed client and openapi-fetch. */
export interface Project {
  folder: string;
  /** Type-checks it; returns the messages of the compiler, "" without errors. */
  check(compiler: Compiler, options?: object): Promise<string>;
  remove(): Promise<void>;
}

const strictest = {
  target: "es2022",
  module: "nodenext",
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  noEmit: true,
  types: ["node"],
};

export async function installClient(): Promise<Project> {
  const folder = await mkdtemp(join(tmpdir(), "email-api-client-"));
  const modules = join(folder, "node_modules");
  await mkdir(join(modules, "email-api-client"), { recursive: true });
  await buildClient(join(modules, "email-api-client/dist"));
  for (const name of ["package.json", "README.md"])
    await cp(join(root, "client", name), join(modules, "email-api-client", name));
  await writeFile(join(folder, "package.json"), '{ "type": "module" }');
  for (const name of ["openapi-fetch", "openapi-typescript-helpers", "@types"])
    await symlink(join(root, "node_modules", name), join(modules, name));
  return {
    folder,
    check: (compiler, options = {}) =>
      compile(compiler, folder, { compilerOptions: { ...strictest, ...options }, include: ["*.ts"] }),
    remove: () => rm(folder, { recursive: true, force: true }),
  };
}

/** A project that has the client installed, with statements about its types and the README's examples in it. */
export async function installExamples(): Promise<Project> {
  const project = await installClient();
  await cp(join(import.meta.dirname, "samples/types.ts.txt"), join(project.folder, "types.ts"));
  for (const { code, file } of examples) await writeFile(join(project.folder, file), code);
  return project;
}

/** An example of a guide: a program of its own. */
export interface Example {
  heading: string;
  code: string;
  /** The name of the file that it is put into. */
  file: string;
}

const readme = await readFile(join(root, "client/README.md"), "utf8");

/** The first block of code below each heading. */
export const examplesIn = (text: string, name: string): Example[] =>
  [...text.matchAll(/^##+ (.+)\n(?:(?!^##+ )[\s\S])*?^```ts\n([\s\S]*?)^```/gm)].map(
    ([, heading = "", code = ""], index) => ({ heading, code, file: `${name}-${index}.ts` }),
  );

/** How many blocks of code there are. */
export const blocksIn = (text: string): number => text.match(/^```ts$/gm)?.length ?? 0;

const examples: Example[] = examplesIn(readme, "example");
