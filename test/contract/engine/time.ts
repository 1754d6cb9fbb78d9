/** Time as a run has it. */
export interface Time {
  /** Milliseconds since 1970, where hooks have not moved the server's clock. */
  now(): number;
  /** Milliseconds since some moment; they go on evenly, whatever is done to the machine's clock. */
  elapsed(): number;
  wait(milliseconds: number): Promise<void>;
}

/** The time there is. */
export const realTime: Time = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  wait: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
};
