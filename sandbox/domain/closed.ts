/** A call after `close()`. */
export class ClosedError extends Error {
  override name = "ClosedError";

  constructor() {
    super("The sandbox is closed.");
  }
}
