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
      const seconds = Math.ceil(milliseconds / 1000);
      wait = `, waiting ${seconds} s for the request limit`;
      if (stream.isTTY === true) show();
      else stream.write(`${done || "0 cases"}${wait}\n`);
    },
    end: () => {
      if (stream.isTTY === true) stream.write("\r\u001B[K");
    },
  };
}
