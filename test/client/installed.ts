import { cp, mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
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
