import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { root } from "../../../scripts/paths.ts";

/** The sandbox as a process of its own, started by the command line. */
export interface SandboxProcess {
  child: ChildProcess;
  /** Everything that it said so far. */
  out(): string;
  errors(): string;
  /** Waits until it has said something that matches. */
  says(pattern: RegExp): Promise<RegExpExecArray>;
  /** Sends a signal, and waits for the end. */
  end(signal: NodeJS.Signals): Promise<number | null>;
  /** Waits for the end. */
  ended: Promise<number | null>;
}

/** Runs `email-api-contract sandbox` with these arguments. */
export function runVerb(...flags: string[]): SandboxProcess {
  const child = spawn(process.execPath, ["scripts/cli.ts", "sandbox", ...flags], {
    cwd: root,
    env: { ...process.env, NO_COLOR: "1" },
  });
  const said = { out: "", errors: "" };
  child.stdout.setEncoding("utf8").on("data", (text: string) => {
    said.out += text;
  });
  child.stderr.setEncoding("utf8").on("data", (text: string) => {
    said.errors += text;
  });
  const ended = once(child, "close").then(([status]) => status as number | null);
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
          throw new Error(`it ended without saying ${pattern}: ${said.out}${said.errors}`);
        }
      }
    },
    end(signal) {
      child.kill(signal);
      return ended;
    },
  };
}
