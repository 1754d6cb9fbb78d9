import { execFile } from "node:child_process";
import { copyFile, mkdir, mkdtemp, readdir, readFile, writeFile } from "node:fs/promises";
import { createRequire } from "node:module";
import { join } from "node:path";
import { promisify } from "node:util";
import { parse } from "yaml";
import { root } from "../../scripts/common/paths.ts";

const run = promisify(execFile);

export const actionText = await readFile(join(root, "action.yml"), "utf8");
export const action = parse(actionText) as {
  inputs: Record<string, { default: string }>;
  runs: { steps: { id?: string; run?: string; env?: Record<string, string> }[] };
};
/** The step that runs a command. */
export const step = action.runs.steps.find(({ id }) => id === "run");

/** How a job ended. */
export interface Job {
  code: number;
  log: string;
}

const ended = (script: string, cwd: string, env: Record<string, string | undefined>): Promise<Job> =>
  new Promise((done) => {
    execFile("bash", ["--norc", "-e", "-c", script], { cwd, env }, (error, stdout, stderr) =>
      done({ code: Number(error?.code ?? 0), log: stdout + stderr }),
    );
  });

/** `node` is that of the project, as the action and the image install it. */
const path = `${join(root, "node_modules/.bin")}:${process.env.PATH}`;

/**
 * Runs the step of the action as GitHub does: with its inputs as variables, in an empty working directory.
 * @param earlier the reports of an earlier run
 */
export async function runAction(
  folder: string,
  inputs: Record<string, string>,
  variables: Record<string, string> = {},
  earlier: string[] = [],
): Promise<Job & { summary: string; outputs: string; reports: string[] }> {
  const cwd = await mkdtemp(join(folder, "job-"));
  const ownReports = join(cwd, inputs.reports ?? "email-api-contract");
  if (earlier.length > 0) await mkdir(ownReports);
  for (const name of earlier) await writeFile(join(ownReports, name), "of an earlier run");
  const [summary, outputs] = [join(cwd, "summary.md"), join(cwd, "outputs")];
  const given = Object.entries(action.inputs).map(([name, { default: usual }]) => [
    name.toUpperCase().replaceAll("-", "_"),
    inputs[name] ?? usual,
  ]);
  const job = await ended(step?.run ?? "", cwd, {
    PATH: path,
    NO_COLOR: "1",
    CI: "true",
    GITHUB_ACTION_PATH: root,
    GITHUB_STEP_SUMMARY: summary,
    GITHUB_OUTPUT: outputs,
    ...variables,
    ...Object.fromEntries(given),
  });
  const read = (file: string): Promise<string> => readFile(file, "utf8").catch(() => "");
  const reports = await readdir(ownReports).catch(() => []);
  return { ...job, summary: await read(summary), outputs: await read(outputs), reports: reports.sort() };
}

const gitlabCiLocal = createRequire(import.meta.url).resolve("gitlab-ci-local/dist/index.js");

export interface Pipeline {
  "email-api-contract": {
    script: string[];
    image: { name: string };
    stage: string;
    variables: Record<string, string>;
  };
}

const expanded = new Map<string, Promise<Pipeline>>();

/** The pipeline of a project that includes the template, as GitLab expands it. */
export function expandGitlab(folder: string, inputs: Record<string, unknown>): Promise<Pipeline> {
  const key = JSON.stringify(inputs);
  const pipeline = expanded.get(key) ?? expand(folder, inputs);
  expanded.set(key, pipeline);
  return pipeline;
}

async function expand(folder: string, inputs: Record<string, unknown>): Promise<Pipeline> {
  const project = await mkdtemp(join(folder, "project-"));
  await copyFile(join(root, "scripts/pipelines/gitlab.yml"), join(project, "gitlab.yml"));
  const git = (...words: string[]) => run("git", ["-C", project, ...words]);
  await git("init", "--quiet");
  await git("add", "gitlab.yml");
  await git("remote", "add", "origin", "git@gitlab.example:mail/server.git");
  const author = ["-c", "user.name=a", "-c", "user.email=a@example.com"];
  await git(...author, "commit", "--quiet", "--allow-empty", "-m", "a");
  await writeFile(
    join(project, ".gitlab-ci.yml"),
    JSON.stringify({ include: [{ local: "gitlab.yml", inputs }] }),
  );
  const { stdout } = await run(process.execPath, [gitlabCiLocal, "--preview"], { cwd: project });
  return parse(stdout.slice(stdout.indexOf("---"))) as Pipeline;
}

/** Runs the script of the job, with the command of the image from this project. */
export async function runGitlab(
  folder: string,
  inputs: Record<string, unknown>,
  variables: Record<string, string> = {},
  command = `node ${join(root, "bin/email-api-contract.js")} "$@"`,
): Promise<Job> {
  const { "email-api-contract": job } = await expandGitlab(folder, inputs);
  const cwd = await mkdtemp(join(folder, "job-"));
  const script = [`email-api-contract() { ${command}; }`, ...job.script].join("\n");
  const ofJob = Object.fromEntries(Object.entries(job.variables).map(([name, one]) => [name, String(one)]));
  return ended(script, cwd, { PATH: path, NO_COLOR: "1", CI: "true", ...ofJob, ...variables });
}
