/** Tells on a terminal how far a run is, in one line that is always the last; where there is no terminal, only long waits are told. */
export interface Progress {
  done(count: number, total: number): void;
  /** The run waits for the request limit, for so many milliseconds. */
  waiting(milliseconds: number): void;
  /** Takes the line away. */
  end(): void;
}

/** Waits below this are part of any run. */
const worthTelling = 1_000;

const waitText = (milliseconds: number): string =>
  `waiting ${Math.ceil(milliseconds / 1000)} s for the request limit`;

/** Tells in a line that something waits for the request limit, where there is no run that is under way. */
export function tellWait(
  milliseconds: number,
  stream: { write(text: string): unknown } = process.stderr,
): void {
  if (milliseconds >= worthTelling) stream.write(`${waitText(milliseconds)}\n`);
}

/** A line of progress on a stream. */
export function progressLine(stream: { isTTY?: boolean; write(text: string): unknown }): Progress {
  let done = "";
  let wait = "";
  const show = (): void => {
    if (stream.isTTY === true) stream.write(`\r\u001B[K${done}${wait}`);
  };
  return {
    done: (count, total) => {
      done = `${count} of ${total} cases`;
      wait = "";
      show();
    },
    waiting: (milliseconds) => {
      if (milliseconds < worthTelling) return;
      wait = `, ${waitText(milliseconds)}`;
      if (stream.isTTY === true) show();
      else stream.write(`${done || "0 cases"}${wait}\n`);
    },
    end: () => {
      if (stream.isTTY === true) stream.write("\r\u001B[K");
    },
  };
}
