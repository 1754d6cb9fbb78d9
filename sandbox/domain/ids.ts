/** Creates unique ids that increase with time. The same seed and the same requests give the same ids. `now` is in milliseconds. */
export interface Ids {
  request(now: number): string;
  /** For an immediate send. */
  message(now: number): string;
  /** For a scheduled message, or one of a batch. */
  scheduled(now: number): string;
  /** For a confirmation: cannot be guessed from other ids. */
  token(now: number): string;
}
