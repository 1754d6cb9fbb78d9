import { execFile } from "node:child_process";
import { writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { expect, test } from "vitest";
import { ruleset } from "../../openapi/lint/ruleset.ts";
import { runSpectral } from "../../openapi/lint/run.ts";
import { openapiFolder } from "../../scripts/common/paths.ts";
import { pointerOf } from "../../scripts/document/json-pointer.ts";
import { sourceDocument } from "../scripts/copies.ts";
import { temporaryFolder } from "../temporary-folder.ts";

const program = join(
  createRequire(import.meta.url).resolve("@stoplight/spectral-cli/package.json"),
  "../dist/index.js",
);

interface Printed {
  code: string;
  severity: number;
  message: string;
  path: string[];
}

/** What `spectral lint` prints for a document, run as any editor or pipeline would. */
async function printed(document: unknown): Promise<Printed[]> {
  const file = join(temporaryFolder(), "openapi.json");
  await writeFile(file, JSON.stringify(document, null, 2));
  const rules = join(openapiFolder, "lint/spectral.mjs");
  const args = ["lint", file, "--ruleset", rules, "--format", "json", "--quiet"];
  const output = await new Promise<string>((settle) => {
    execFile(process.execPath, [program, ...args], { maxBuffer: 2 ** 26 }, (_error, stdout) =>
      settle(stdout),
    );
  });
  return JSON.parse(output) as Printed[];
}

test("the plain spectral command finds what we find, no more and no less", async () => {
  const document = structuredClone(await sourceDocument());
  // The examples of every operation are what takes the time, and there is nothing new in the tenth.
  for (const path of Object.keys(document.paths))
    if (!["/api/v1/emails", "/api/v1/emails/{id}"].includes(path)) delete document.paths[path];
  const email = document.paths["/api/v1/emails"]?.post;
  if (email === undefined) throw new Error("no sendEmail");
  email.summary = "Send.";
  email.security = [];
  Reflect.deleteProperty(document.components.responses?.RateLimited ?? {}, "headers");
  Object.assign(document.components.schemas?.Subject ?? {}, { enum: ["a", "a"], maxLength: undefined });
  Object.assign(document.components.examples?.MessageSent ?? {}, {
    value: { id: 7, from: "ada@mailbox.berlin" },
  });

  const here = (await runSpectral(ruleset, document)).map(
    ({ rule, severity, message, pointer }) => `${rule} ${severity} ${pointer} ${message}`,
  );
  const there = (await printed(document)).map(
    ({ code, severity, message, path }) =>
      `${code} ${severity === 0 ? "error" : "warn"} ${pointerOf(path)} ${message}`,
  );
  expect(here.length).toBeGreaterThan(15);
  expect(new Set(here.map((line) => line.split(" ")[0])).size).toBeGreaterThan(8);
  expect(there.toSorted()).toEqual(here.toSorted());
});
