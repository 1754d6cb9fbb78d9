/** The upper bounds of the buckets of durations, in seconds. The longest are those of delays that a user asked for. */
export const durationBounds: readonly number[] = [
  0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 60,
];

/** An operation of the API: its path is a template, without ids and email addresses. */
interface Operation {
  readonly method: string;
  readonly path: string;
}

/** The requests to an operation. */
export interface OperationCounts {
  byStatus: Map<number, number>;
  /** How many took at most as long as the bound of the same index, and longer than the one before. */
  byDuration: number[];
  /** How long all of them took, in seconds. */
  seconds: number;
}

/**
 * What an instance of the sandbox has done since its start, in plain numbers. They are counted from the first request on, and cost next to
 * nothing; `render.ts`, which is loaded with the first request for them, turns them into metrics.
 */
export class Counts {
  readonly operations = new Map<Operation, OperationCounts>();
  /** Requests that no operation has processed, by status: an unknown path, method or host, or unreadable HTTP. */
  readonly withoutOperation = new Map<number, number>();
  /** Accepted by a send; replays of an idempotency key are not counted again. */
  messages = 0;
  /** Changes of messages at their due times. */
  dueSteps = 0;
  storeErrors = 0;

  request(operation: Operation, status: number, milliseconds: number): void {
    let counts = this.operations.get(operation);
    if (counts === undefined) {
      counts = { byStatus: new Map(), byDuration: durationBounds.map(() => 0), seconds: 0 };
      this.operations.set(operation, counts);
    }
    const seconds = milliseconds / 1000;
    increment(counts.byStatus, status);
    counts.seconds += seconds;
    const bucket = durationBounds.findIndex((bound) => seconds <= bound);
    if (bucket >= 0) counts.byDuration[bucket] = (counts.byDuration[bucket] ?? 0) + 1;
  }

  rejected(status: number): void {
    increment(this.withoutOperation, status);
  }
}

const increment = (counts: Map<number, number>, status: number): void =>
  void counts.set(status, (counts.get(status) ?? 0) + 1);
