/**
 * Tells how far a run is: on a terminal in one line that is always the last, elsewhere in a line every half a minute and for each
 * long wait.
 */
export interface Progress {
  done(count: number, total: number): void;
  /** The run waits for the request limit, for so many milliseconds. */
  waiting(milliseconds: number): void;
  /** It calls an operation again and again until something has happened, for so many milliseconds more at most. */
  polling(operation: string, milliseconds: number): void;
  /** Takes the line away, and tells no more. */
  end(): void;
}

/** Waits below this are part of any run. */
const worthTelling = 1_000;
/** How often it is told how far a run is where there is no terminal, in milliseconds. */
const interval = 30_000;

const waitText = (milliseconds: number): string =>
  `waiting ${Math.ceil(milliseconds / 1000)} s for the request limit`;

/** Tells in a line that something waits for the request limit, where there is no run that is under way. */
export function printWait(
  milliseconds: number,
  stream: { write(text: string): unknown } = process.stderr,
): void {
  if (milliseconds >= worthTelling) stream.write(`${waitText(milliseconds)}\n`);
}

/** A line of progress on a stream. */
export function progressLine(stream: { isTTY?: boolean; write(text: string): unknown }): Progress {
  const isTerminal = stream.isTTY === true;
  const began = Date.now();
  let done = "0 cases";
  let wait = "";
  const show = (): void => {
    if (isTerminal) stream.write(`\r\u001B[K${done}${wait}`);
  };
  const tell = (): void => {
    stream.write(`${done}, ${Math.round((Date.now() - began) / 1000)} s\n`);
  };
  const timer = isTerminal ? undefined : setInterval(tell, interval).unref();
  return {
    done: (count, total) => {
      done = `${count} of ${total} cases`;
      wait = "";
      show();
    },
    waiting: (milliseconds) => {
      if (milliseconds < worthTelling) return;
      wait = `, ${waitText(milliseconds)}`;
      if (isTerminal) show();
      else stream.write(`${done}${wait}\n`);
    },
    polling: (operation, milliseconds) => {
      wait = `, calling ${operation} until it has happened, ${Math.ceil(milliseconds / 1000)} s at most`;
      show();
    },
    end: () => {
      clearInterval(timer);
      if (isTerminal) stream.write("\r\u001B[K");
    },
  };
}
