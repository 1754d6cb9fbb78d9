import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { median } from "../measure.ts";

const execute = promisify(execFile);

/** Runs a program; gives the milliseconds it took and what it printed. */
async function run(
  file: string,
  cwd: string,
  env: Record<string, string>,
): Promise<{ took: number; printed: string }> {
  const start = performance.now();
  const { stdout } = await execute(process.execPath, [file], { cwd, env: { ...process.env, ...env } });
  return { took: performance.now() - start, printed: stdout };
}

/** Where the programs run, and what they are told. */
export interface Place {
  folder: string;
  env: Record<string, string>;
  rounds: number;
}

/**
 * How long programs take beside the first of them. They run in turns, so that whatever else the machine does meets all;
 * the ratio is that of medians.
 */
export async function timesBeside(files: string[], { folder, env, rounds }: Place): Promise<number[]> {
  const times = files.map((): number[] => []);
  for (let round = 0; round < rounds; round += 1)
    for (const [index, file] of files.entries()) times[index]?.push((await run(file, folder, env)).took);
  const medians = times.map(median);
  return medians.map((time) => time / (medians[0] ?? Number.NaN));
}

/** The number that each program prints, beside that of the first; the median of the ratios of each round. */
export async function printedBeside(files: string[], { folder, env, rounds }: Place): Promise<number[]> {
  const ratios = files.map((): number[] => []);
  for (let round = 0; round < rounds; round += 1) {
    const printed: number[] = [];
    for (const file of files) printed.push(Number((await run(file, folder, env)).printed));
    for (const [index, number] of printed.entries()) ratios[index]?.push(number / (printed[0] ?? Number.NaN));
  }
  return ratios.map(median);
}
