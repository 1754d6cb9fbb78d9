import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { CaseOutcome } from "../../../contract/engine/outcome.ts";
import { defaultDeadlines } from "../../../contract/engine/settings.ts";
import packageJson from "../../../package.json" with { type: "json" };
import { generatedFolder, root } from "../../../scripts/common/paths.ts";
import { runContract } from "../../../scripts/contract/contract.ts";
import { keysOfDemo, settingsOfSandbox } from "../../../scripts/contract/targets.ts";
import { runProgram } from "../../run-program.ts";
import { redocly, runWorkflows } from "../../workflows/respect.ts";
import { startServer } from "../child.ts";
import type { Outcome, Results, Tool } from "./results.ts";
import type { ListedServer } from "./servers.ts";

interface Means {
  tools: readonly Tool[];
  /** For each server. */
  seconds: number;
  /** For temporary files. */
  folder: string;
  /** The command of Schemathesis. */
  schemathesis: string;
}

/** The versions of the tools. */
export async function versionsOf(tools: readonly Tool[]): Promise<Results["versions"]> {
  const version = await redoclyVersion();
  const versions: Record<Tool, string> = {
    ...{ suite: packageJson.version, schemathesis: schemathesisVersion },
    ...{ drift: version, respect: version },
  };
  return Object.fromEntries(tools.map((tool) => [tool, versions[tool]]));
}

/** Runs tools on a server, each on a new one of its own; but what `drift` reads is the traffic of the suite. */
export async function runTools(server: ListedServer, means: Means): Promise<Outcome[]> {
  const { tools } = means;
  const outcomes: Outcome[] = [];
  if (tools.includes("suite") || tools.includes("drift"))
    outcomes.push(...(await runOnTraffic(server, means)));
  if (tools.includes("schemathesis")) outcomes.push(await runAlone(server, "schemathesis", means));
  if (tools.includes("respect")) outcomes.push(await runAlone(server, "respect", means));
  return outcomes;
}

const start = ({ kind, index }: ListedServer) =>
  startServer(join(import.meta.dirname, "server.ts"), [kind, String(index)]);

const since = (began: number): number => (performance.now() - began) / 1000;

async function runOnTraffic(server: ListedServer, { tools, seconds, folder }: Means): Promise<Outcome[]> {
  const child = await start(server);
  try {
    const began = performance.now();
    const findings = await runSuite(child.url, seconds);
    const ofSuite = { ...server, seconds: since(began), ...(await child.ask<{ requests: number }>({})) };
    const suite: Outcome = { ...ofSuite, tool: "suite", findings };
    if (!tools.includes("drift")) return [suite];
    const har = join(folder, "traffic.har");
    await child.ask({ har });
    const then = performance.now();
    const differences = await runDrift(har, child.url, folder);
    const drift: Outcome = {
      ...{ ...ofSuite, tool: "drift", findings: differences },
      seconds: ofSuite.seconds + since(then),
    };
    return tools.includes("suite") ? [suite, drift] : [drift];
  } finally {
    await child.stop();
  }
}

async function runAlone(
  server: ListedServer,
  tool: "schemathesis" | "respect",
  { seconds, folder, schemathesis }: Means,
): Promise<Outcome> {
  const child = await start(server);
  try {
    const began = performance.now();
    const run =
      tool === "respect"
        ? runWorkflows({ url: child.url, seconds, folder: join(folder, "respect") })
        : runSchemathesis(schemathesis, child.url, seconds, folder);
    const findings = await run.catch((error: unknown): string[] => {
      // What writes its report at its end, which the end of its time kept it from, has reported nothing.
      if (since(began) >= seconds) return [];
      throw error;
    });
    return {
      ...server,
      tool,
      findings,
      seconds: since(began),
      ...(await child.ask<{ requests: number }>({})),
    };
  } finally {
    await child.stop();
  }
}

/** Runs the profile `full` until the time is over. @returns the checks that failed, by their requirements */
async function runSuite(url: string, seconds: number): Promise<string[]> {
  const given = settingsOfSandbox(url);
  const settings = {
    ...given,
    // A sequence is not made shorter: that is for people who read the report.
    sequences: { shorten: false, failures: 1 },
    deadlines: defaultDeadlines,
    // Very large messages take a third of the time.
    without: [...given.without, "slow" as const],
  };
  const found = new Set<string>();
  const { promise: over, resolve: end } = Promise.withResolvers<void>();
  const timer = setTimeout(end, seconds * 1000);
  let isOver = false;
  const run = runContract({
    settings,
    onOutcome: (outcome) => {
      if (!isOver) for (const finding of findingsOf(outcome)) found.add(finding);
      return !isOver;
    },
  });
  // What is still in progress after the end meets a server that is closed.
  await Promise.race([run.catch(() => {}), over]);
  clearTimeout(timer);
  isOver = true;
  return [...found];
}

function findingsOf({ verdict, ids, check, responseChecks }: CaseOutcome): string[] {
  const failed = responseChecks.filter(({ failures }) => failures.length > 0);
  return [
    ...(verdict === "fail" ? [`${ids.join(" ")} ${check}`] : []),
    ...failed.map((one) => `${one.ids.join(" ")} ${one.title}`),
  ];
}

const redoclyVersion = async (): Promise<string> =>
  (await runProgram(redocly, ["--version"], { cwd: root, seconds: 60 })).trim().split("\n").at(-1) ?? "";

interface DriftReport {
  problems: Problem[];
}

interface Problem {
  ruleId: string;
  operationId?: string;
  target: string;
  /** The JSON Pointer of the failed keyword, absent unless it is about a schema. */
  schemaPath?: string;
}

/** Compares recorded traffic with the document. @returns each kind of finding with its operation */
async function runDrift(har: string, url: string, folder: string): Promise<string[]> {
  const report = join(folder, "drift.json");
  await rm(report, { force: true });
  const document = join(generatedFolder, "openapi.json");
  const printed = await runProgram(
    redocly,
    ["drift", har, "--api", document, "--server", url, "--format", "json", "--output", report],
    { cwd: folder, seconds: 60 },
  );
  const { problems } = await reportIn<DriftReport>(report, printed);
  return problems.map(({ ruleId, operationId = "no operation", target, schemaPath = "" }) =>
    [operationId, ruleId, target, schemaPath].join(" ").trim(),
  );
}

async function reportIn<Report>(file: string, printed: string): Promise<Report> {
  const text = await readFile(file, "utf8").catch(() => {
    throw new Error(`redocly wrote no report: ${printed.slice(-2000)}`);
  });
  return JSON.parse(text) as Report;
}

const schemathesisVersion = "4.32.5";

const tuning = join(root, "test/clients/schemathesis");

/** The users whose objects must stay private to each other, in the format of Schemathesis. */
const users = (): object => ({
  auth: (["full", "otherAccount"] as const).map((role) => ({
    name: role,
    fixedHeaders: [{ name: "Authorization", value: `Bearer ${keysOfDemo()[role]}` }],
  })),
});

/** Configures it: users, hooks, seed. Unless this version is on the path, installs it into a virtual environment. @returns its command */
export async function installSchemathesis(folder: string): Promise<string> {
  await writeFile(join(folder, "users.json"), JSON.stringify(users()));
  const auth = `\n[auth.wfc]\npath = "${join(folder, "users.json")}"\nuser = "full"\npeers = ["full", "otherAccount"]\n`;
  const shared = await readFile(join(tuning, "schemathesis.toml"), "utf8");
  await writeFile(join(folder, "schemathesis.toml"), shared + auth);
  const options = { cwd: folder, seconds: 300 };
  const isIt = async (command: string): Promise<boolean> =>
    (await runProgram(command, ["--version"], options).catch(() => "")).includes(schemathesisVersion);
  if (await isIt("schemathesis")) return "schemathesis";
  await runProgram("python3", ["-m", "venv", "venv"], options);
  const pip = ["install", "--quiet", `schemathesis==${schemathesisVersion}`];
  const printed = await runProgram(join(folder, "venv/bin/pip"), pip, options);
  const command = join(folder, "venv/bin/schemathesis");
  if (!(await isIt(command))) throw new Error(`Schemathesis was not installed: ${printed}`);
  return command;
}

interface Report {
  failures: { type: string; operations: string[] }[];
}

/** Runs all phases and checks until the time is over. @returns each kind of failure with its operation */
async function runSchemathesis(
  command: string,
  url: string,
  seconds: number,
  folder: string,
): Promise<string[]> {
  const document = join(generatedFolder, "openapi.json");
  // It keeps what it found in a folder, and would begin with that on the next server.
  const cwd = join(folder, "run");
  await rm(cwd, { recursive: true, force: true });
  await mkdir(cwd);
  const report = join(cwd, "report.json");
  const printed = await runProgram(
    command,
    [
      ...["--config-file", join(folder, "schemathesis.toml"), "run", document, "--url", url],
      ...["--checks", "all", "--continue-on-failure", "--max-time", String(seconds)],
      ...["--suppress-health-check", "filter_too_much,too_slow"],
      ...["--report", "json", "--report-json-path", report, "--no-color"],
    ],
    {
      cwd,
      // It stops by itself. This is for one that does not.
      seconds: 3 * seconds + 20,
      env: {
        ...{ DOCUMENT: document, ACCEPTED: join(cwd, "accepted.json") },
        ...{ PYTHONPATH: tuning, PYTHONDONTWRITEBYTECODE: "1" },
      },
    },
  );
  const text = await readFile(report, "utf8").catch(() => {
    throw new Error(`Schemathesis wrote no report: ${printed.slice(-2000)}`);
  });
  const { failures } = JSON.parse(text) as Report;
  return failures.flatMap(({ type, operations }) => operations.map((operation) => `${operation} ${type}`));
}
