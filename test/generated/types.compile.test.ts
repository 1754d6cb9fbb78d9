import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, test } from "vitest";
import { root } from "../../scripts/paths.ts";

const compilers = [
  { compiler: "TypeScript 5", program: "node_modules/typescript/bin/tsc" },
  { compiler: "TypeScript 7", program: "node_modules/typescript7/bin/tsc" },
];
const subjects = [
  // Declaration files are only checked with the libraries, and the test runner's do not stand up to that.
  { subject: "everything generated", include: ["generated"], options: { skipLibCheck: false, types: [] } },
  { subject: "the statements about its types", include: ["test/generated/types.check.ts"], options: {} },
];
const cases = compilers.flatMap((compiler) => subjects.map((subject) => ({ ...compiler, ...subject })));

test.concurrent.for(cases)(
  "$subject compiles under $compiler",
  { timeout: 60_000 },
  async ({ program, include, options }, { expect: expected }) => {
    const folder = await mkdtemp(join(tmpdir(), "email-api-types-"));
    const configuration = {
      extends: join(root, "tsconfig.json"),
      compilerOptions: { rootDir: root, typeRoots: [join(root, "node_modules/@types")], ...options },
      include: include.map((path) => join(root, path)),
    };
    try {
      await writeFile(join(folder, "tsconfig.json"), JSON.stringify(configuration));
      const outcome = await run([join(root, program), "--noEmit", "--pretty", "false", "-p", folder]);
      expected(outcome).toEqual({ status: 0, text: "" });
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
);

test("a statement that does not hold is noticed", { timeout: 60_000 }, async () => {
  const folder = await mkdtemp(join(tmpdir(), "email-api-types-"));
  const statement = `import type { components } from ${JSON.stringify(join(root, "generated/types.ts"))};
    export const status: components["schemas"]["MessageStatus"] = "lost";`;
  try {
    await writeFile(join(folder, "wrong.ts"), statement);
    const configuration = {
      extends: join(root, "tsconfig.json"),
      compilerOptions: { types: [] },
      include: ["."],
    };
    await writeFile(join(folder, "tsconfig.json"), JSON.stringify(configuration));
    const outcome = await run([join(root, "node_modules/typescript7/bin/tsc"), "--noEmit", "-p", folder]);
    expect(outcome.text).toContain('"lost"');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});

function run(args: string[]): Promise<{ status: number | null; text: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, args, { cwd: root, stdio: ["ignore", "pipe", "pipe"] });
    let text = "";
    for (const stream of [child.stdout, child.stderr]) {
      stream.setEncoding("utf8").on("data", (part: string) => {
        text += part;
      });
    }
    child.on("error", reject).on("close", (status) => resolve({ status, text }));
  });
}
