import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import packageJson from "../../package.json" with { type: "json" };
import { pinned } from "./cores.ts";

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
  stop(): Promise<void>;
}

/** Its first message. @throws Error if it exits before */
const first = (child: ChildProcess): Promise<unknown> =>
  Promise.race([
    next(child),
    once(child, "exit").then(([code]) => {
      throw new Error(`the server exited with ${code}`);
    }),
  ]);

const next = async (child: ChildProcess): Promise<unknown> => (await once(child, "message"))[0];

/**
 * Node's options of `npm run sandbox`: a smaller young generation, earlier collections of the old one, and one compiler fewer save memory. The young
 * generation is collected by one thread: several on one core wait for each other.
 */
const flags = packageJson.scripts.sandbox.split(" ").filter((word) => word.startsWith("--"));

/** Starts a script in a process of its own, and waits until it says where it listens. @param core that it runs on; undefined for any */
export async function startServer(
  script: string,
  parameters: string[] = [],
  core: number | undefined = undefined,
): Promise<Child> {
  const [execPath, ...execArgv] = pinned([process.execPath], core);
  const options = { execPath, execArgv: [...execArgv, ...flags] };
  const child = fork(script, parameters, options);
  const { url } = (await first(child)) as { url: string };
  return { ...talkTo(child), url };
}

function talkTo(process: ChildProcess): Omit<Child, "url"> {
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
