import { writeFile } from "node:fs/promises";
import { join, relative } from "node:path";
import { describe, expect, test } from "vitest";
import { root } from "../../scripts/common/paths.ts";
import { type Compiler, compile, compilers } from "../compiler.ts";
import { temporaryFolder } from "../temporary-folder.ts";

/** What is compiled: paths in the project, and options beside its own. */
interface Subject {
  subject: string;
  include: string[];
  options: object;
}

const subjects: Subject[] = [
  // Declaration files are only checked with the libraries, and the test runner's do not stand up to that.
  { subject: "everything generated", include: ["generated"], options: { skipLibCheck: false, types: [] } },
  { subject: "the statements about its types", include: ["test/generated/types.check.ts"], options: {} },
];

/**
 * Compiles parts of the project with its own options, without writing.
 *
 * @returns what the compiler says; empty when all is well
 */
async function compileParts(
  compiler: Compiler,
  { include, options }: Omit<Subject, "subject">,
): Promise<string> {
  return compile(compiler, temporaryFolder(), {
    extends: join(root, "tsconfig.json"),
    compilerOptions: { rootDir: "/", typeRoots: [join(root, "node_modules/@types")], ...options },
    include: include.map((path) => join(root, path)),
  });
}

describe.each(Object.keys(compilers) as Compiler[])("%s", (compiler) => {
  test.for(subjects)("$subject compiles", async (subject) => {
    expect(await compileParts(compiler, subject)).toBe("");
  });
});

test("a false statement is reported", async () => {
  const folder = temporaryFolder();
  const statement = `import type { components } from ${JSON.stringify(join(root, "generated/types.ts"))};
    export const status: components["schemas"]["MessageStatus"] = "lost";`;
  await writeFile(join(folder, "wrong.ts"), statement);
  const said = await compileParts("TypeScript 7", {
    include: [relative(root, folder)],
    options: { types: [] },
  });
  expect(said).toContain('"lost"');
});
