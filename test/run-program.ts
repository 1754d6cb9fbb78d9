import { spawn } from "node:child_process";
import { once } from "node:events";

interface ProgramOptions {
  cwd: string;
  /** It is ended after this time. */
  seconds: number;
  env?: Record<string, string>;
}

/** Runs a program to its end or the end of its time. @returns what it printed @throws Error if it cannot be started */
export async function runProgram(
  command: string,
  parameters: readonly string[],
  { cwd, seconds, env = {} }: ProgramOptions,
): Promise<string> {
  const child = spawn(command, parameters, {
    cwd,
    env: { ...process.env, REDOCLY_TELEMETRY: "off", ...env },
    stdio: ["ignore", "pipe", "pipe"],
    timeout: Math.ceil(seconds * 1000),
  });
  let printed = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
    });
  await once(child, "close");
  return printed;
}
