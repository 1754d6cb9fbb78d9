import { DriverError } from "../driver/driver.ts";

/** A driver that does nothing in so many calls in a row does nothing in others either, and each takes 10 s or more. */
const maxCalls = 4;

/** Ends a run whose drivers do nothing. */
export class SilentCalls {
  #calls = 0;

  /** @param isSilent whether a call ended without a reply, because its driver sent no request or wrote no complete line */
  note(isSilent: boolean): void {
    if (this.#calls < maxCalls) this.#calls = isSilent ? this.#calls + 1 : 0;
  }

  /** @throws DriverError if the run has ended */
  rejectIfTooMany(): void {
    if (this.#calls === maxCalls)
      throw new DriverError(
        `The run has ended early: in ${maxCalls} calls in a row, the driver sent no request or wrote no complete line.`,
      );
  }
}
