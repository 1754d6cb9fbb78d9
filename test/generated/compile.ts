import { execFile } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { root } from "../../scripts/paths.ts";

/** What is compiled: paths in the project, and options beside its own. */
export interface Subject {
  subject: string;
  include: string[];
  options: object;
}

export const subjects: Subject[] = [
  // Declaration files are only checked with the libraries, and the test runner's do not stand up to that.
  { subject: "everything generated", include: ["generated"], options: { skipLibCheck: false, types: [] } },
  { subject: "the statements about its types", include: ["test/generated/types.check.ts"], options: {} },
];

/**
 * Compiles with one of the installed compilers, without writing.
 *
 * @param compiler its folder in `node_modules`
 * @returns what it says; empty when all is well
 */
export async function compile(
  compiler: "typescript" | "typescript7",
  { include, options }: Omit<Subject, "subject">,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "email-api-types-"));
  const configuration = {
    extends: join(root, "tsconfig.json"),
    compilerOptions: { rootDir: "/", typeRoots: [join(root, "node_modules/@types")], ...options },
    include: include.map((path) => join(root, path)),
  };
  try {
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify(configuration));
    const program = join(root, "node_modules", compiler, "bin/tsc");
    const run = promisify(execFile)(process.execPath, [
      program,
      "--noEmit",
      "--pretty",
      "false",
      "-p",
      folder,
    ]);
    return await run.then(
      () => "",
      (reason: { stdout?: string; stderr?: string }) => `${reason.stdout}${reason.stderr}`,
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
