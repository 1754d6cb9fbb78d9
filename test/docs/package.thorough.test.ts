import { execFile } from "node:child_process";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { parse } from "yaml";
import packageJson from "../../package.json" with { type: "json" };
import { root } from "../../scripts/common/paths.ts";
import { unpackProject } from "../packed.ts";
import { blocksOf, pages } from "./guides/pages.ts";

const run = promisify(execFile);
const guide = pages.find(({ name }) => name === "docs/publishing.md");
const [config = "", , overlay = "", workflow = ""] = guide
  ? blocksOf(guide).flatMap(({ language, code }) => (language === "yaml" ? [code] : []))
  : [];

let folder: string;
let command: string[];
const read = (name: string): Promise<string> => readFile(join(folder, "public", name), "utf8");

// A folder with the unpacked package and the files of the guide. It finds the packages that it needs in this project.
beforeAll(async () => {
  await mkdir(join(root, ".build"), { recursive: true });
  folder = await mkdtemp(join(root, ".build/package-"));
  const installed = join(folder, "node_modules/email-api-contract");
  await unpackProject(installed);
  const logo = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"/>`;
  const files = { "docs.config.yaml": config, "overlay.yaml": overlay, "logo.svg": logo };
  const support = "# Support\n\nWrite to us.\n";
  for (const [name, text] of Object.entries({ ...files, "support.md": support }))
    await writeFile(join(folder, name), text);
  // As npm installs it for another package, where the built pages look for that of Astro.
  const cookie = join(folder, "node_modules/cookie");
  await mkdir(cookie);
  await writeFile(join(cookie, "package.json"), `{ "name": "cookie", "version": "0.7.2" }`);
  await writeFile(join(cookie, "index.js"), "exports.parse = () => ({});");
  const bin = join(installed, packageJson.bin["email-api-contract"]);
  command = [bin, "docs", "--config", "docs.config.yaml"];
});
afterAll(() => rm(folder, { recursive: true }));

test("the packed package publishes a site with another name, logo, base URL and versions", async () => {
  await run(process.execPath, command, { cwd: folder });
  const page = await read("operations/send-email/index.html");
  expect(page).toContain("Bakery Mail");
  expect(page).toContain('src="/mail/logo.svg"');
  expect(page).toContain("https://mail.bakery.example");
  expect(page).not.toContain("https://api.example.com");
  expect(JSON.parse(await read("try/data.json"))).toMatchObject({ baseUrl: "https://mail.bakery.example" });
  expect(page).toContain(
    '<link rel="canonical" href="https://docs.bakery.example/mail/operations/send-email/"',
  );
  expect(page).toContain("https://status.bakery.example");
  expect(JSON.parse(await read("openapi.json"))).toMatchObject({ info: { summary: "Mail for bakeries." } });
  expect(page).toContain('href="/mail/1.0.0/operations/send-email/"');
  expect(await read("guides/support/index.html")).toContain("Write to us.");
  expect(await read("1.0.0/operations/send-email/index.html")).toContain('content="noindex"');
  expect(await read("sitemap-0.xml")).toContain("https://docs.bakery.example/mail/errors/");
});

test("the first page has the name of the publisher", async () => {
  const page = await read("index.html");
  expect(page).toMatch(/<title>Bakery Mail<\/title>/);
  expect(page).not.toContain("Email API");
  expect(await read("llms.txt")).toMatch(/^# Bakery Mail\n/);
});

test("a version with the name of a folder of the site is rejected, and the site stays as it is", async () => {
  const versions = "versions: [{ name: errors, document: earlier.json }]\nout: public\n";
  await writeFile(join(folder, "earlier.json"), await read("openapi.json"));
  await writeFile(join(folder, "versions.yaml"), versions);
  const [bin = "", ...line] = command.with(-1, "versions.yaml");
  await expect(run(process.execPath, [bin, ...line], { cwd: folder })).rejects.toThrow(
    "the version errors has the name",
  );
  expect(await read("errors/index.html")).toContain("Bakery Mail");
});

test("the workflow of the guide runs the tested command and uploads its output folder", () => {
  const { jobs } = parse(workflow) as { jobs: { publish: { steps: Step[] } } };
  const { steps } = jobs.publish;
  expect(steps.flatMap(({ run: line = [] }) => line)).toEqual([
    "npm ci",
    `npx --no email-api-contract ${command.slice(1).join(" ")}`,
  ]);
  expect(steps.map((step) => step.with?.path).find(Boolean)).toBe((parse(config) as { out: string }).out);
});

interface Step {
  run?: string;
  with?: Record<string, unknown>;
}
