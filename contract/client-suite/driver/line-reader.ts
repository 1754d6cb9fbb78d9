import type { Readable } from "node:stream";
import { DriverError } from "./driver.ts";

/** Characters; the largest response of the suite has a few megabytes. */
const maxLine = 64 * 1024 * 1024;
/** Lines that nobody has read yet: the second one is an error already. */
const maxLines = 10;

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
    if (this.#length > maxLine) {
      this.#rest = [];
      this.end(`The driver wrote a line of more than ${maxLine} characters.`);
    }
    if (others.length === 0) return;
    const complete = [this.#rest.join(""), ...others.slice(0, -1)];
    this.#rest = [others.at(-1) ?? ""];
    this.#length = this.#rest[0]?.length ?? 0;
    // An empty line says nothing.
    const lines = complete.filter((line) => line.trim() !== "");
    this.#lines.push(...lines.slice(0, maxLines - this.#lines.length));
  }
}
