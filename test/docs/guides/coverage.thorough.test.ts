import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { execute, failureOf, unusablePrograms } from "../../clients/tools.ts";
import { recordedSandbox } from "../../observe/proxied.ts";
import { runHere } from "../../scripts/run-here.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { environment, type Toolchain, toolchains } from "../samples/programs.ts";
import { blocksOf, pages } from "./pages.ts";

const guide = pages.find(({ name }) => name === "docs/observing-traffic.md");
const tests = guide && blocksOf(guide).find(({ language }) => language === "python");
const python = toolchains.python as Toolchain;
const reason = unusablePrograms(python)?.detail;
if (reason !== undefined) console.log(`The tests in Python are not run: ${reason}`);

test.skipIf(reason !== undefined)(
  "the tests in Python of the guide pass, and cover what its table says",
  {
    timeout: 180_000,
  },
  async () => {
    const folder = temporaryFolder();
    await writeFile(join(folder, "test_email.py"), tests?.code ?? "");
    const run = async (line: string, env: NodeJS.ProcessEnv = {}): Promise<void> => {
      const ended = await execute(line, folder, env);
      expect(ended.code, failureOf(line, folder, ended)).toBe(0);
    };
    await run(python.prepare ?? "true");
    const file = await recordedSandbox(folder, (url) =>
      run(`"${environment}/bin/python" -m pytest`, {
        ...{ EMAIL_API_URL: url, EMAIL_API_KEY: "sandbox_all_2f7c", no_proxy: "*" },
      }),
    );
    const { status, out } = await runHere("observe", "--ndjson", file, "--coverage");
    expect(status).toBe(0);
    expect(out).toContain(tests?.next?.code);
  },
);
