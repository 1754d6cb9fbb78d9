import { existsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describe, expect, test, vi } from "vitest";
import { folderWith } from "../contract/config/folder.ts";
import { type Generator, run, unusablePrograms } from "./tools.ts";

const copying: Generator = {
  name: "datamodel-code-generator with a long name",
  version: "13.13.0",
  language: "TypeScript",
  needs: ["sh"],
  document: "openapi.json",
  install: "mkdir client",
  generate: "cp openapi.json client",
  compile: "grep -q openapi client/openapi.json",
};

describe("a generator", () => {
  test("passes if all its steps do", async () => {
    const { outcome, seconds } = await run(copying);
    expect(outcome).toBe("passed");
    expect(Object.keys(seconds)).toEqual(["install", "generate", "compile"]);
  });

  test("reads documents with the title of a publisher", async () => {
    const compile = `grep -q '"title": "Bakery Mail"' client/openapi.json`;
    expect(await run({ ...copying, compile })).toMatchObject({ outcome: "passed" });
  });

  test("fails at the first step that does, with its output, and leaves its folder", async () => {
    const { outcome, seconds, detail } = await run({ ...copying, generate: "echo no client; exit 3" });
    expect(outcome).toBe("failed");
    expect(Object.keys(seconds)).toEqual(["install"]);
    const [, folder = ""] = /exit code 3 in (\S+):\nno client$/.exec(detail ?? "") ?? [];
    expect(existsSync(folder)).toBe(true);
    await rm(folder, { recursive: true });
  });

  test("is skipped if a program is missing", async () => {
    const result = await run({ ...copying, needs: ["sh", "no-such-compiler"] });
    expect(result).toEqual({
      outcome: "skipped",
      seconds: {},
      detail: "no-such-compiler is missing",
      isMissing: true,
    });
  });

  test("is skipped if a program is too old, with what is needed", async () => {
    const folder = folderWith();
    await writeFile(join(folder, "cargo"), "#!/bin/sh\necho 'cargo 1.63.0 (fd9c4297c 2022-07-01)'\n", {
      mode: 0o755,
    });
    vi.stubEnv("PATH", `${folder}:${process.env.PATH}`);
    try {
      const rust = { ...copying, needs: ["cargo"] };
      expect(await run({ ...rust, versions: { cargo: "1.88" } })).toEqual({
        outcome: "skipped",
        seconds: {},
        detail: "cargo 1.63.0 is too old, 1.88 is needed: install it from https://rustup.rs",
        isMissing: false,
      });
      for (const cargo of ["1.63", "1.63.0", "1.9", "1", "0.99.1"])
        expect(unusablePrograms({ ...rust, versions: { cargo } })).toBeUndefined();
      for (const cargo of ["1.63.1", "1.64", "2"])
        expect(unusablePrograms({ ...rust, versions: { cargo } })?.isMissing).toBe(false);
      expect(unusablePrograms({ ...rust, needs: ["no-such-compiler"] })?.isMissing).toBe(true);
    } finally {
      vi.unstubAllEnvs();
    }
  });
});
