import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { median } from "../measure.ts";

const execute = promisify(execFile);

/** Runs a program; returns its duration in milliseconds and its output. */
async function run(
  file: string,
  cwd: string,
  env: Record<string, string>,
): Promise<{ duration: number; output: string }> {
  const start = performance.now();
  const { stdout } = await execute(process.execPath, [file], { cwd, env: { ...process.env, ...env } });
  return { duration: performance.now() - start, output: stdout };
}

/** Where the programs run, and with which environment. */
export interface RunOptions {
  folder: string;
  env: Record<string, string>;
  rounds: number;
}

/**
 * The durations of programs relative to the first one, from medians. They run in turns, so that the load of the machine affects
 * all of them.
 */
export async function relativeTimes(files: string[], { folder, env, rounds }: RunOptions): Promise<number[]> {
  const times = files.map((): number[] => []);
  for (let round = 0; round < rounds; round += 1)
    for (const [index, file] of files.entries()) times[index]?.push((await run(file, folder, env)).duration);
  const medians = times.map(median);
  return medians.map((time) => time / (medians[0] ?? Number.NaN));
}

/** The number that each program prints relative to that of the first, as the median of all rounds. */
export async function relativeOutputs(
  files: string[],
  { folder, env, rounds }: RunOptions,
): Promise<number[]> {
  const ratios = files.map((): number[] => []);
  for (let round = 0; round < rounds; round += 1) {
    const printed: number[] = [];
    for (const file of files) printed.push(Number((await run(file, folder, env)).output));
    for (const [index, number] of printed.entries()) ratios[index]?.push(number / (printed[0] ?? Number.NaN));
  }
  return ratios.map(median);
}
