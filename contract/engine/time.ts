/** The time source of a run. */
export interface Time {
  /** Milliseconds since 1970. */
  now(): number;
  /** Monotonic milliseconds. */
  elapsed(): number;
  wait(milliseconds: number): Promise<void>;
}

export const realTime: Time = {
  now: () => Date.now(),
  elapsed: () => performance.now(),
  wait: (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds)),
};
