import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { constants } from "node:os";
import type { Readable } from "node:stream";
import {
  type Call,
  type Capabilities,
  type Driver,
  DriverError,
  flushQuestion,
  protocolVersion,
  type Reply,
  readCapabilities,
  readReply,
  type StartDriver,
  shown,
} from "./protocol.ts";

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

/** Characters; the largest response of the suite has a few megabytes. */
const longestLine = 64 * 1024 * 1024;
/** Lines that nobody has read yet: the second one is an error already. */
const maxUnread = 10;

/** The lines of a stream, one at a time. */
export class LineReader {
  #rest: string[] = [];
  #length = 0;
  #lines: string[] = [];
  #problem: string | undefined;
  #notify: () => void = () => {};

  /** @param onText called with everything that is read */
  constructor(stream: Readable, onText: (text: string) => void) {
    const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    stream.on("data", (bytes: Buffer) => {
      try {
        const text = decoder.decode(bytes, { stream: true });
        onText(text);
        this.#add(text);
      } catch {
        onText(bytes.toString());
        this.end("The driver wrote bytes to standard output that are not UTF-8.");
      }
      this.#notify();
    });
  }

  /** Ends waiting: there are no more lines. */
  end(problem: string): void {
    this.#problem ??= problem;
    this.#notify();
  }

  /** What was read after the last line break. */
  get unfinished(): string {
    return this.#rest.join("");
  }

  /** @throws DriverError if there is a line that nobody waits for */
  mustBeEmpty(): void {
    const [line] = this.#lines;
    if (line !== undefined)
      throw new DriverError(
        `The driver wrote a line that no call asked for: ${JSON.stringify(line.slice(0, 200))}. It writes one line for each call; write logs to standard error.`,
      );
  }

  /**
   * The next line; undefined if there is none in time.
   * @throws DriverError if the stream has ended, or the line is too long
   */
  async next(milliseconds: number): Promise<string | undefined> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<"late">((resolve) => {
      timer = setTimeout(resolve, milliseconds, "late");
    });
    try {
      for (;;) {
        const line = this.#lines.shift();
        if (line !== undefined) return line;
        if (this.#problem !== undefined) throw new DriverError(this.#problem);
        const changed = new Promise<void>((resolve) => {
          this.#notify = resolve;
        });
        if ((await Promise.race([changed, late])) === "late") return undefined;
      }
    } finally {
      clearTimeout(timer);
    }
  }

  #add(text: string): void {
    const [first = "", ...others] = text.split("\n");
    this.#rest.push(first);
    this.#length += first.length;
    if (this.#length > longestLine) {
      this.#rest = [];
      this.end(`The driver wrote a line of more than ${longestLine} characters.`);
    }
    if (others.length === 0) return;
    const complete = [this.#rest.join(""), ...others.slice(0, -1)];
    this.#rest = [others.at(-1) ?? ""];
    this.#length = this.#rest[0]?.length ?? 0;
    // An empty line says nothing.
    const lines = complete.filter((line) => line.trim() !== "");
    this.#lines.push(...lines.slice(0, maxUnread - this.#lines.length));
  }
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;
type Signal = (typeof signals)[number];

/** The leaders of the running process groups. */
const leaders = new Set<number>();

/**
 * Ends a process group at the latest when this process ends, also by a signal. A group of its own gets no signal of the terminal.
 * @param leader the id of its first process
 */
export function endWithThisProcess(leader: number): void {
  if (leaders.size === 0) {
    process.on("exit", killAll);
    for (const signal of signals) process.on(signal, end);
  }
  leaders.add(leader);
}

/** Ends a process group now: the process, and what it has started. */
export function killGroup(leader: number): void {
  try {
    // Windows has no process groups.
    process.kill(process.platform === "win32" ? leader : -leader, "SIGKILL");
  } catch {
    // It has just ended.
  }
}

/** Ends a process group, which no longer ends with this process. */
export function endGroup(leader: number): void {
  killGroup(leader);
  if (!leaders.delete(leader) || leaders.size > 0) return;
  process.off("exit", killAll);
  for (const signal of signals) process.off(signal, end);
}

const killAll = (): void => leaders.forEach(killGroup);

function end(signal: Signal): void {
  killAll();
  // Another listener of the signal decides how this process ends.
  if (process.listenerCount(signal) === 1) process.exit(128 + constants.signals[signal]);
}
