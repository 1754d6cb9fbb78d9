#!/usr/bin/env node
// Plain JavaScript, so that a Node which cannot read the rest still says what it needs.
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
// Node reads TypeScript as it is, but not below node_modules.
if (import.meta.url.includes("/node_modules/")) {
  refuse(
    "this runs from a clone of the project, not as an installed package",
    "clone it and run `npm ci` there",
  );
}

const { run } = await import("../scripts/cli.ts");
await run(process.argv);
