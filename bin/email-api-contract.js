#!/usr/bin/env node
// Plain JavaScript, so that a Node which cannot read the rest still says what it needs.
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";

/** Ends the process: wrong set-up. */
function refuse(message, hint) {
  console.error(`error: ${message}`);
  console.error(`hint:  ${hint}`);
  process.exit(2);
}

const { engines } = JSON.parse(await readFile(new URL("../package.json", import.meta.url), "utf8"));
const needed = engines.node.replace(">=", "");
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);
const [neededMajor = 0, neededMinor = 0] = needed.split(".").map(Number);

if (major < neededMajor || (major === neededMajor && minor < neededMinor)) {
  refuse(
    `this needs Node ${needed} or later; this is ${process.version}`,
    "inside the project, `npm ci` brings the right Node; run a verb with `npm run <verb>`",
  );
}
// A clone runs its sources, an installed package what was compiled from them.
const sources = new URL("../scripts/cli.ts", import.meta.url);
const { run } = await import(existsSync(sources) ? sources.href : "../dist/cli.js");
await run(process.argv);
