import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { onTestFinished } from "vitest";
import { root } from "../../../scripts/common/paths.ts";

/** The command `sandbox` in a process of its own. */
export interface SandboxProcess {
  child: ChildProcess;
  /** Standard output so far. */
  out(): string;
  errors(): string;
  /** Waits for a match in standard output. */
  says(pattern: RegExp): Promise<RegExpExecArray>;
  /** Sends a signal, and waits for the exit code. */
  end(signal: NodeJS.Signals): Promise<number | null>;
  /** The exit code. */
  ended: Promise<number | null>;
}

const command = [process.execPath, "scripts/cli.ts", "sandbox"];

/** Runs `email-api-contract sandbox` with these options. */
export const runSandbox = (...options: string[]): SandboxProcess => start([...command, ...options]);

/** Runs it for one test, on a free port. */
export function startOnAnyPort(...options: string[]): SandboxProcess {
  const sandbox = runSandbox("--port", "0", ...options);
  onTestFinished(() => void sandbox.child.kill("SIGKILL"));
  return sandbox;
}

/** The URL of a sandbox on this machine. */
export const baseUrl = /http:\/\/127\.0\.0\.1:\d+/;

function start([program = "", ...words]: string[]): SandboxProcess {
  const child = spawn(program, words, {
    cwd: root,
    env: { ...process.env, NO_COLOR: "1" },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const said = { out: "", errors: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    said.out += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said.errors += text;
  });
  const ended = once(child, "close").then(([code]) => code as number | null);
  return {
    child,
    out: () => said.out,
    errors: () => said.errors,
    ended,
    async says(pattern) {
      for (;;) {
        const found = pattern.exec(said.out);
        if (found !== null) return found;
        const more = once(child.stdout, "data").then(() => true);
        if (!(await Promise.race([more, ended.then(() => false)]))) {
          const last = pattern.exec(said.out);
          if (last !== null) return last;
          throw new Error(`it ended without printing ${pattern}: ${said.out}${said.errors}`);
        }
      }
    },
    end(signal) {
      child.kill(signal);
      return ended;
    },
  };
}
