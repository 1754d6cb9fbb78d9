import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import { setTimeout as wait } from "node:timers/promises";
import { firstWords } from "./rounds.ts";

const script = new URL("./instance.ts", import.meta.url).pathname;

/** How long to wait before a new start, in milliseconds: without a database an instance does not start. */
const pause = 100;

/** An instance that is started again whenever it ends. */
export class Instance {
  readonly #args: string[];
  #child: ChildProcess | undefined;
  #wanted = true;
  readonly #kept: Promise<void>;
  /** Undefined while it does not listen. */
  url: string | undefined;
  /** Ends that nobody wanted. */
  readonly crashes: string[] = [];
  #killed = false;

  /** @param args the URLs of the database and of the SMTP server */
  constructor(...args: [database: string, smtp: string]) {
    this.#args = args;
    this.#kept = this.#keep();
  }

  kill(): void {
    this.url = undefined;
    this.#killed = true;
    this.#child?.kill("SIGKILL");
  }

  async close(): Promise<void> {
    this.#wanted = false;
    this.kill();
    await this.#kept;
  }

  async #keep(): Promise<void> {
    while (this.#wanted) {
      this.#killed = false;
      const child = fork(script, this.#args, { stdio: ["ignore", "ignore", "ignore", "ipc"] });
      this.#child = child;
      const ended = once(child, "exit");
      const started = await firstWords(child).catch(() => undefined);
      if (started !== undefined && this.#wanted && !this.#killed) this.url = started.url;
      if (!this.#wanted) child.kill("SIGKILL");
      const [status, signal] = await ended;
      this.url = undefined;
      if (started !== undefined && !this.#killed)
        this.crashes.push(`an instance ended with ${status ?? signal}`);
      if (this.#wanted && started === undefined) await wait(pause);
    }
  }
}
