import { type ChildProcessWithoutNullStreams, spawn } from "node:child_process";
import { EventEmitter, once } from "node:events";
import { constants } from "node:os";
import type { Readable } from "node:stream";
import { withCodes } from "../../../lib/text.ts";
import { childEnvironment } from "../../engine/child-environment.ts";
import { shown } from "../../text.ts";
import {
  type Call,
  type Capabilities,
  type Driver,
  DriverError,
  flushQuestion,
  maxShown,
  protocolVersion,
  type Reply,
  readCapabilities,
  readReply,
  type StartDriver,
} from "./protocol.ts";

/** Milliseconds until the first line: a virtual machine may have to start. */
const usualStartDeadline = 30_000;
/** Milliseconds from the end of its input until a driver is killed. */
const endDeadline = 2_000;
/** Milliseconds from the end of a driver until its output is complete. */
const outputDeadline = 500;
const maxOutput = 65_536;
/** What an error shows of the output: lines, such as those of a stack with its error, and characters of a line. */
const maxLines = 20;
const maxLine = 300;

/**
 * Starts drivers as processes.
 * @param command a shell command, such as `python3 driver.py`
 * @param startDeadline milliseconds until the first line must be there
 * @param signal kills them
 * @returns a function that throws a DriverError if the process ends, or does not write a valid first line in time
 */
export const processDriver =
  (command: string, { startDeadline = usualStartDeadline, signal }: ProcessOptions = {}): StartDriver =>
  async (start) => {
    const driver = new ProcessDriver(command, signal);
    try {
      await driver.start(lineOf({ protocol: protocolVersion, ...start }), startDeadline);
    } catch (error) {
      await driver.close();
      throw error instanceof DriverError ? new DriverError(`\`${command}\`: ${error.message}`) : error;
    }
    return driver;
  };

/**
 * A value as one line of ASCII: some readers of lines also end them at other characters, and some take standard input for the encoding of a
 * locale.
 */
const lineOf = (value: unknown): string => `${withCodes(JSON.stringify(value), /[\u007F-\uFFFF]/g)}\n`;

interface ProcessOptions {
  startDeadline?: number;
  signal?: AbortSignal | undefined;
}

class ProcessDriver implements Driver {
  capabilities!: Capabilities;
  readonly #child: ChildProcessWithoutNullStreams;
  readonly #lines: LineReader;
  #output = "";
  #calls = 0;
  /** What takes the reply to each call that has none, or undefined at the end, by number. */
  readonly #waiting = new Map<number, (reply: Reply | undefined) => void>();
  #isOpen = true;

  constructor(command: string, signal: AbortSignal | undefined) {
    // A group of its own, so that the shell and what it starts end together.
    const detached = process.platform !== "win32";
    this.#child = spawn(command, {
      shell: true,
      detached,
      env: childEnvironment(),
      signal,
      killSignal: "SIGKILL",
    });
    const { stdin, stdout, stderr, pid } = this.#child;
    // It has none if it did not start.
    if (pid !== undefined) endWithThisProcess(pid);
    this.#lines = new LineReader(stdout, (text) => this.#keep(text));
    stderr.setEncoding("utf8").on("data", (text: string) => this.#keep(text));
    // The driver may end before it has read everything; its exit says so.
    stdin.on("error", () => {});
    this.#child.on("error", (error) => this.#lines.end(`The driver cannot be started: ${error.message}`));
    // What it has started may keep its output open, in a group of its own.
    this.#child.on("exit", () => setTimeout(() => this.#closeOutput(), outputDeadline).unref());
    this.#child.on("close", (code, signal) => {
      this.#isOpen = false;
      killGroup(pid);
      this.#lines.end(`The driver ended with ${signal ?? `exit code ${code}`}.${this.#lastOutput()}`);
    });
  }

  get isOpen(): boolean {
    return this.#isOpen;
  }

  async start(firstLine: string, startDeadline: number): Promise<void> {
    this.#child.stdin.write(firstLine);
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
    const { promise, resolve } = Promise.withResolvers<Reply | undefined>();
    this.#waiting.set(number, resolve);
    try {
      this.#lines.assertEmpty();
      this.#child.stdin.write(lineOf({ call: number, ...call }));
      // It may have the reply to another call, which then reads that to this one.
      const line = await this.#nextLine(replyTimeout);
      if (line === undefined) {
        killGroup(this.#child.pid);
        await this.close();
        return promise;
      }
      const [replied, reply] = readReply(line, ...this.#waiting.keys());
      this.#waiting.get(replied)?.(reply);
      this.#waiting.delete(replied);
      return await promise;
    } catch (error) {
      await this.close();
      if (!(error instanceof DriverError)) throw error;
      // The call that was running stands on a line of its own.
      const [first, ...others] = error.message.split("\n");
      throw new DriverError([first, `In the call ${shown(call, 300)}`, ...others].join("\n"));
    }
  }

  /** The next line; undefined if there is none in time. @throws DriverError if there is only a part of it */
  async #nextLine(milliseconds: number): Promise<string | undefined> {
    const line = await this.#lines.next(milliseconds);
    const { unfinished } = this.#lines;
    if (line !== undefined || unfinished.trim() === "") return line;
    killGroup(this.#child.pid);
    throw new DriverError(
      `The driver wrote a line without a line break at its end: ${shown(unfinished, maxShown)}. ${flushQuestion}`,
    );
  }

  takeOutput(): string {
    const output = this.#output;
    this.#output = "";
    return output;
  }

  async close(): Promise<void> {
    for (const resolve of this.#waiting.values()) resolve(undefined);
    if (!this.#isOpen) return;
    this.#isOpen = false;
    const { exitCode, signalCode, stdin, pid } = this.#child;
    if (exitCode === null && signalCode === null && pid !== undefined) {
      const ended = once(this.#child, "exit");
      stdin.end();
      const timer = setTimeout(killGroup, endDeadline, pid);
      await ended;
      clearTimeout(timer);
    }
    // What the driver started may outlive it.
    killGroup(pid);
    this.#closeOutput();
  }

  /** Otherwise this process would wait for the process that has the other end. */
  #closeOutput(): void {
    this.#child.stdout.destroy();
    this.#child.stderr.destroy();
  }

  #keep(text: string): void {
    this.#output = (this.#output + text).slice(-maxOutput);
  }

  /** The last lines of the output that are not empty. */
  #lastOutput(): string {
    const lines = this.#output
      .split("\n")
      .map((line) => line.trimEnd())
      .filter((line) => line !== "")
      .slice(-maxLines)
      .map((line) => (line.length <= maxLine ? line : `${line.slice(0, maxLine)}...`));
    return lines.length === 0 ? "" : ["\nIts last output:", ...lines].join("\n");
  }
}

/** Characters; the largest response of the suite has a few megabytes. */
const longestLine = 64 * 1024 * 1024;
/** Lines that nobody has read yet: the second one is an error already. */
const maxUnread = 10;

class LineReader extends EventEmitter<{ change: [] }> {
  /** What was read after the last line break. */
  unfinished = "";
  readonly #lines: string[] = [];
  #problem: string | undefined;

  /** @param onText called with everything that is read */
  constructor(stream: Readable, onText: (text: string) => void) {
    super();
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
    });
  }

  /** Ends waiting: there are no more lines. */
  end(problem: string): void {
    this.#problem ??= problem;
    this.emit("change");
  }

  /** @throws DriverError if there is a line that nobody waits for */
  assertEmpty(): void {
    const [line] = this.#lines;
    if (line !== undefined)
      throw new DriverError(
        `The driver wrote a line that no call asked for: ${shown(line, maxShown)}. It writes one line for each call; write logs to standard error.`,
      );
  }

  /** The next line; undefined if there is none in time. @throws DriverError if the stream has ended, or the line is too long */
  async next(milliseconds: number): Promise<string | undefined> {
    const signal = AbortSignal.timeout(milliseconds);
    while (this.#lines.length === 0 && !signal.aborted) {
      if (this.#problem !== undefined) throw new DriverError(this.#problem);
      await once(this, "change", { signal }).catch(() => {});
    }
    return this.#lines.shift();
  }

  #add(text: string): void {
    const [first = "", ...others] = text.split("\n");
    const lines = [this.unfinished + first, ...others];
    this.unfinished = lines.pop() ?? "";
    if (this.unfinished.length > longestLine) {
      this.unfinished = "";
      this.end(`The driver wrote a line of more than ${longestLine} characters.`);
    }
    // An empty line says nothing.
    const complete = lines.filter((line) => line.trim() !== "");
    this.#lines.push(...complete.slice(0, maxUnread - this.#lines.length));
    this.emit("change");
  }
}

const signals = ["SIGINT", "SIGTERM", "SIGHUP"] as const;

/** The leaders of the running process groups. */
const leaders = new Set<number>();

/** Ends a process group at the latest when this process ends, also by a signal. A group of its own gets no signal of the terminal. */
function endWithThisProcess(leader: number): void {
  leaders.add(leader);
  if (process.listeners("exit").includes(killAll)) return;
  process.on("exit", killAll);
  for (const signal of signals) process.on(signal, end);
}

/** Ends a process group now: the process, and what it has started. */
function killGroup(leader: number | undefined): void {
  if (leader === undefined) return;
  leaders.delete(leader);
  try {
    // Windows has no process groups.
    process.kill(process.platform === "win32" ? leader : -leader, "SIGKILL");
  } catch {
    // It has just ended.
  }
}

const killAll = (): void => leaders.forEach(killGroup);

function end(signal: (typeof signals)[number]): void {
  killAll();
  // Another listener of the signal decides how this process ends.
  if (process.listenerCount(signal) === 1) process.exit(128 + constants.signals[signal]);
}
