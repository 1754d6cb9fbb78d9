import { mkdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { generatedFolder, root } from "../../../scripts/common/paths.ts";
import { keysOfDemo } from "../../../scripts/contract/targets.ts";
import { runProgram } from "./program.ts";

export const schemathesisVersion = "4.32.5";

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
export async function runSchemathesis(
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
