#!/usr/bin/env node
// Plain JavaScript, so that a Node which cannot read the rest still says what it needs.
const needed = { major: 24, minor: 18 };
const [major = 0, minor = 0] = process.versions.node.split(".").map(Number);

if (major < needed.major || (major === needed.major && minor < needed.minor)) {
  console.error(`error: this needs Node ${needed.major}.${needed.minor} or later; this is ${process.version}`);
  console.error("hint:  inside the project, `npm ci` brings the right Node; run a verb with `npm run <verb>`");
  process.exit(2);
}

const { run } = await import("../scripts/cli.ts");
await run(process.argv);
