#!/usr/bin/env node
// Plain JavaScript, so that an old Node can say which version is required.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";

const { engines } = JSON.parse(await readFile(new URL("../package.json", import.meta.url), "utf8"));
const required = engines.node.replace(">=", "");
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
const [requiredMajor = 0, requiredMinor = 0] = required.split(".").map(Number);

// A clone runs its sources, an installed package the compiled files.
const sources = new URL("../scripts/cli.ts", import.meta.url);
const isClone = existsSync(sources);

if (major < requiredMajor || (major === requiredMajor && minor < requiredMinor)) {
  console.error(`error: requires Node ${required} or later (this is ${process.version})`);
  console.error(
    isClone
      ? "hint:  Run `npm ci`, which installs that Node, then `npm run <command>` or node_modules/.bin/node."
      : "hint:  Install a newer Node, or start this file with one.",
  );
  process.exit(2);
}
const { run } = await import(isClone ? sources.href : "../dist/cli.js");
await run(process.argv);
