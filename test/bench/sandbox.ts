import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { build } from "esbuild";
import { type Figure, met, summary, table } from "./figures.ts";
import {
  type Comparison,
  checkPrograms,
  coldStart,
  compare,
  median,
  sendOne,
  startPinned,
} from "./measure.ts";
import { largestBody, peakMemory, resets, thirtyDays } from "./once.ts";
import { onPostgres } from "./postgres.ts";

// `npm run bench:sandbox`: what the sandbox costs beside a bare node:http server, in one run. Ends with 1 when a target is missed.

const { values } = parseArgs({
  options: {
    seconds: { type: "string", default: "3" },
    rounds: { type: "string", default: "7" },
    // The measurements by name: `--only throughput --only PostgreSQL`.
    only: { type: "string", multiple: true },
  },
});
const [duration, rounds] = [Number(values.seconds), Number(values.rounds)];
const load = { connections: 50, duration };
const floorScript = new URL("./floor.mjs", import.meta.url).pathname;
const folder = mkdtempSync(join(tmpdir(), "sandbox-bench-"));

/** The least ratio to the floor by CPU per request. */
const targets = { memory: 0.45, file: 0.1 };

function throughput(group: string, { floor, server, rate, cpu }: Comparison, least?: number): Figure[] {
  const rates = `${server.rate.toFixed(0)} of ${floor.rate.toFixed(0)} a second`;
  const cost = `${server.cpu.toFixed(0)} us, floor ${floor.cpu.toFixed(0)} us`;
  const times = `p50 ${server.p50.toFixed(0)}, floor's p99 ${floor.p99.toFixed(0)}`;
  return [
    {
      ...{ group, name: "CPU per request, floor's of its own", value: cpu, detail: cost },
      ...(least !== undefined && { least }),
    },
    { group, name: "rate, of the floor's", value: rate, detail: rates },
    { group, name: "p99 at saturation", value: server.p99, unit: "ms", detail: times },
    { group, name: "requests that failed", value: server.failed, most: 0 },
  ];
}

async function compareAll(script: string): Promise<Figure[]> {
  const figures: Figure[] = [];
  for (const place of ["memory", "file"] as const) {
    const floor = await startPinned(floorScript);
    const server = await startPinned(script, [place === "file" ? join(folder, "throughput") : ""]);
    for (const one of [floor, server]) await compare(one, one, { connections: 50, duration: 1 }, 1);
    figures.push(...throughput(`in ${place}`, await compare(floor, server, load, rounds), targets[place]));
    const named = await compare(floor, server, { ...load, keys: true }, rounds);
    figures.push(...throughput(`in ${place}, with idempotency keys`, named));
    await Promise.all([floor.stop(), server.stop()]);
  }
  return figures;
}

async function starts(built: Built): Promise<Figure[]> {
  const ratios: number[] = [];
  let detail = "";
  for (let round = 0; round < 3; round += 1) {
    const floor = await coldStart(floorScript, 5);
    const own = await coldStart(built.script, 5);
    ratios.push(own / floor);
    detail = `${own.toFixed(0)} ms, floor ${floor.toFixed(0)} ms`;
  }
  const name = "cold start to the first response, of the floor's";
  return [{ group: "the program", name, value: median(ratios), most: 1.6, detail }];
}

const dependencies = ({ dependencies, packages }: Built): Figure => ({
  ...{ group: "the program", name: "runtime dependencies", value: dependencies / 1e6, unit: "MB", most: 10 },
  detail: `${packages.length} packages`,
});

/** Runs one measurement after the other; they take minutes. */
async function run(): Promise<Figure[]> {
  const built = await buildSandbox(join(folder, "built"));
  const { script } = built;
  const measurements: Readonly<Record<string, () => Promise<Figure[]>>> = {
    "cold start": () => starts(built),
    "start of the command": startCommand,
    throughput: () => compareAll(script),
    PostgreSQL: () => onPostgres(script, floorScript, { load, rounds }),
    "peak memory": () => peakMemory(script, floorScript, folder),
    resets: () => resets(script, folder),
    "30 days": () => thirtyDays(script, folder),
    "largest body": () => largestBody(script),
  };
  const figures: Figure[] = [];
  for (const [name, measured] of Object.entries(measurements)) {
    if (values.only !== undefined && !values.only.includes(name)) continue;
    const start = performance.now();
    figures.push(...(await measured()));
    console.error(`${name}: ${((performance.now() - start) / 1_000).toFixed(0)} s`);
  }
  return [...figures, dependencies(built)];
}

const root = new URL("../..", import.meta.url).pathname;

/** Milliseconds from `npm run sandbox` to its first response; the median of several starts, after one that fills the caches. */
async function startCommand(): Promise<Figure[]> {
  await startOnce();
  const times: number[] = [];
  while (times.length < 5) times.push(await startOnce());
  const name = "npm run sandbox to the first response";
  return [{ group: "the program", name, value: median(times), unit: "ms", most: 500 }];
}

async function startOnce(): Promise<number> {
  const start = performance.now();
  // A group of its own: npm does not pass SIGKILL on.
  const npm = spawn("npm", ["run", "--silent", "sandbox", "--", "--port", "0", "--quiet"], {
    cwd: root,
    detached: true,
    stdio: ["ignore", "pipe", "inherit"],
  });
  const ended = once(npm, "exit");
  try {
    const [url] = (await once(createInterface(npm.stdout), "line")) as [string];
    await sendOne(url);
    return performance.now() - start;
  } finally {
    process.kill(-(npm.pid ?? 0), "SIGKILL");
    await ended;
  }
}

/** The sandbox as a package would carry it: compiled, the parts that not every start needs in files of their own. */
interface Built {
  /** The script that starts it. */
  script: string;
  /** Bytes of everything outside the project that it uses at run time, whole packages. */
  dependencies: number;
  packages: string[];
}

/** Compiles the sandbox into the folder. */
async function buildSandbox(folder: string): Promise<Built> {
  const { metafile } = await build({
    entryPoints: [join(root, "test/bench/server.ts")],
    absWorkingDir: root,
    outdir: folder,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    splitting: true,
    platform: "node",
    target: "node24",
    format: "esm",
    metafile: true,
    logLevel: "error",
    banner: {
      js: 'import { createRequire } from "node:module"; const require = createRequire(import.meta.url);',
    },
  });
  const names = Object.keys(metafile.inputs).flatMap(
    (path) => /^node_modules\/((@[^/]+\/)?[^/]+)/.exec(path)?.[1] ?? [],
  );
  const packages = [...new Set(names)].sort();
  const sizes = packages.map((name) => sizeOf(join(root, "node_modules", name)));
  return {
    script: join(folder, "server.mjs"),
    dependencies: sizes.reduce((sum, size) => sum + size, 0),
    packages,
  };
}

const sizeOf = (folder: string): number =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .map((name) => statSync(join(folder, name)))
    .reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0);

await checkPrograms();
try {
  const figures = await run();
  console.log(table(figures));
  console.log(summary(figures));
  console.log("Requests are counted as always, with a limit that is not in the way");
  console.log("(option requestsPerMinute).");
  if (!figures.every(met)) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true, force: true });
}
