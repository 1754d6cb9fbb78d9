import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { root } from "../../scripts/common/paths.ts";
import { type Compiler, compile } from "../compiler.ts";

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
 * Compiles parts of the project with its own options, without writing.
 *
 * @returns what the compiler says; empty when all is well
 */
export async function compileParts(
  compiler: Compiler,
  { include, options }: Omit<Subject, "subject">,
): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), "email-api-types-"));
  try {
    return await compile(compiler, folder, {
      extends: join(root, "tsconfig.json"),
      compilerOptions: { rootDir: "/", typeRoots: [join(root, "node_modules/@types")], ...options },
      include: include.map((path) => join(root, path)),
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
