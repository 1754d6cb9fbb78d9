import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";

/** What a process has used until now: CPU in microseconds, its largest memory in bytes. */
export interface Usage {
  cpu: number;
  peak: number;
}

/** A process that responds to messages, one at a time. */
export interface Child {
  /** Sends something and waits for the response. */
  ask<Answer>(question: object): Promise<Answer>;
  /** What it said first. */
  url: string;
  /** From the moment it was started to the moment it listened, in milliseconds. */
  startedIn: number;
  stop(): Promise<void>;
}

const next = async (child: ChildProcess): Promise<unknown> => (await once(child, "message"))[0];

/** Starts a script in a process of its own, and waits until it says where it listens. */
export async function startServer(
  script: string,
  parameters: string[] = [],
  execArgv: string[] = [],
): Promise<Child> {
  const start = performance.now();
  const process = fork(script, parameters, { execArgv });
  const { url } = (await next(process)) as { url: string };
  return { ...talkTo(process), url, startedIn: performance.now() - start };
}

/** Starts a script that only waits to be asked. */
export const startWorker = (script: string): Omit<Child, "url" | "startedIn"> => talkTo(fork(script));

function talkTo(process: ChildProcess): Omit<Child, "url" | "startedIn"> {
  return {
    async ask<Answer>(question: object) {
      const response = next(process);
      process.send(question);
      return (await response) as Answer;
    },
    async stop() {
      const ended = once(process, "exit");
      process.kill("SIGKILL");
      await ended;
    },
  };
}
