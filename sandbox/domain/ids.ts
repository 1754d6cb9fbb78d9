/** Makes ids that are new each time, grow with time, and are the same again for the same seed and the same calls. `now` is in milliseconds. */
export interface Ids {
  request(now: number): string;
  /** For a message that is sent at once. */
  message(now: number): string;
  /** For a message that is scheduled, or one of a batch. */
  scheduled(now: number): string;
  /** For a link that a person is sent: not to be guessed from other ids. */
  token(now: number): string;
}
