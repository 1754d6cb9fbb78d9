/** How much a store in memory keeps of one kind: beyond it the oldest go. */
export interface Bound {
  number: number;
  /** About as many as its texts have, and what V8 takes for its objects. */
  bytes: number;
}

export interface Bounds {
  messages: Bound;
  requests: Bound;
  idempotencyRecords: Bound;
}

/** The largest message has 28 MiB of attachments, which take 38 MiB in base64. */
export const usualMebibytes = 64;

/** What a store keeps. @param mebibytes of each kind */
export function boundsOf(mebibytes = usualMebibytes): Bounds {
  const bytes = mebibytes * 1024 * 1024;
  return {
    messages: { number: 10_000, bytes },
    requests: { number: 10_000, bytes },
    idempotencyRecords: { number: 100_000, bytes },
  };
}
