import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import {
  type Call,
  type Capabilities,
  type Driver,
  DriverError,
  flushQuestion,
  protocolVersion,
  type Reply,
  type StartDriver,
} from "./driver.ts";
import { LineReader } from "./line-reader.ts";
import { endGroup, endWithThisProcess, killGroup } from "./process-groups.ts";
import { readCapabilities, readReply, shown } from "./read-line.ts";

/** Milliseconds until the first line: a virtual machine may have to start. */
const usualStartDeadline = 30_000;
/** Milliseconds from the end of its input until a driver is killed. */
const endDeadline = 2_000;
const maxOutput = 65_536;
/** What an error shows: lines of the output, and characters of a line and of a call. */
const maxLines = 12;
const maxFrames = 3;
const maxLine = 300;
const maxCall = 300;

/**
 * Starts drivers as processes.
 *
 * @param command a shell command, such as `python3 driver.py`
 * @param startDeadline milliseconds until the first line must be there
 * @returns a function that throws a DriverError if the process ends, or does not write a valid first line in time
 */
export const processDriver =
  (command: string, { startDeadline = usualStartDeadline } = {}): StartDriver =>
  async (start) => {
    const driver = new ProcessDriver(command);
    try {
      await driver.start(lineOf({ protocol: protocolVersion, ...start }), startDeadline);
    } catch (error) {
      await driver.close();
      throw error;
    }
    return driver;
  };

/** A value as one line. Some readers of lines also end them at these characters, which JSON may escape. */
const lineOf = (value: unknown): string =>
  `${JSON.stringify(value).replaceAll(/[\u0085\u2028\u2029]/g, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`)}\n`;

class ProcessDriver implements Driver {
  capabilities!: Capabilities;
  readonly #child: ChildProcess;
  readonly #lines: LineReader;
  #output = "";
  #calls = 0;
  #isOpen = true;

  constructor(command: string) {
    // A group of its own, so that the shell and what it starts end together.
    this.#child = spawn(command, { shell: true, detached: process.platform !== "win32", stdio: "pipe" });
    const { stdin, stdout, stderr, pid } = this.#child;
    if (pid !== undefined) endWithThisProcess(pid);
    this.#lines = new LineReader(stdout as NonNullable<typeof stdout>, (text) => this.#keep(text));
    stderr?.setEncoding("utf8").on("data", (text: string) => this.#keep(text));
    // The driver may end before it has read everything; its exit says so.
    stdin?.on("error", () => {});
    this.#child.on("error", (error) => this.#lines.end(`The driver cannot be started: ${error.message}`));
    this.#child.on("close", (code, signal) => {
      this.#isOpen = false;
      const { pid } = this.#child;
      if (pid !== undefined) endGroup(pid);
      this.#lines.end(`The driver ended with ${signal ?? `exit code ${code}`}.${this.#lastOutput()}`);
    });
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  async start(firstLine: string, startDeadline: number): Promise<void> {
    this.#child.stdin?.write(firstLine);
    const line = await this.#nextLine(startDeadline);
    if (line === undefined)
      throw new DriverError(
        `The driver wrote no line within ${startDeadline / 1000} s of its start. ${flushQuestion}${this.#lastOutput()}`,
      );
    this.capabilities = readCapabilities(line);
  }

  async call(call: Call, replyTimeout: number): Promise<Reply | undefined> {
    this.#calls += 1;
    const number = this.#calls;
    try {
      this.#lines.mustBeEmpty();
      this.#child.stdin?.write(lineOf({ call: number, ...call }));
      const line = await this.#nextLine(replyTimeout);
      if (line !== undefined) return readReply(line, number);
    } catch (error) {
      await this.close();
      throw error instanceof DriverError ? duringCall(error, call) : error;
    }
    this.#kill();
    await this.close();
    return undefined;
  }

  /**
   * The next line; undefined if there is none in time.
   * @throws DriverError if there is only a part of it
   */
  async #nextLine(milliseconds: number): Promise<string | undefined> {
    const line = await this.#lines.next(milliseconds);
    const { unfinished } = this.#lines;
    if (line !== undefined || unfinished.trim() === "") return line;
    this.#kill();
    throw new DriverError(
      `The driver wrote a line without a line break at its end: ${shown(unfinished)}. ${flushQuestion}`,
    );
  }

  takeOutput(): string {
    const output = this.#output;
    this.#output = "";
    return output;
  }

  async close(): Promise<void> {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    const { exitCode, signalCode, stdin, pid } = this.#child;
    if (exitCode === null && signalCode === null && pid !== undefined) {
      const ended = once(this.#child, "exit");
      stdin?.end();
      const timer = setTimeout(() => this.#kill(), endDeadline);
      await ended;
      clearTimeout(timer);
    }
    // What the driver started may outlive it.
    if (pid !== undefined) endGroup(pid);
  }

  #kill(): void {
    const { pid } = this.#child;
    if (pid !== undefined) killGroup(pid);
  }

  #keep(text: string): void {
    this.#output = (this.#output + text).slice(-maxOutput);
  }

  #lastOutput(): string {
    const lines = lastLines(this.#output);
    return lines.length === 0 ? "" : ["\nIts last output:", ...lines].join("\n");
  }
}

/** The error with the call that was running, on a line of its own. */
function duringCall({ message }: DriverError, call: Call): DriverError {
  const [first, ...others] = message.split("\n");
  const text = JSON.stringify(call);
  const running = `In the call ${text.length <= maxCall ? text : `${text.slice(0, maxCall)}...`}`;
  return new DriverError([first, running, ...others].join("\n"));
}

/** The last lines of a text that are not empty; of a stack, the first frames, so that the error above it is among them. */
function lastLines(text: string): string[] {
  const lines = text.split("\n").map((line) => line.trimEnd());
  const isFrame = (line: string | undefined): boolean => /^\s+at /.test(line ?? "");
  return lines
    .filter((line) => line !== "")
    .filter((line, index, all) => !(isFrame(line) && isFrame(all[index - maxFrames])))
    .slice(-maxLines)
    .map((line) => (line.length <= maxLine ? line : `${line.slice(0, maxLine)}...`));
}
