import type { ErrorRow } from "../../document/types.ts";

/** What each way of repeating means to somebody who calls. */
export const errorWords: Record<ErrorRow["retry"], { cell: string; short: string; long: string }> = {
  never: {
    cell: "no",
    short: "Do not repeat it as it is.",
    long: "No. The same request meets the same refusal.",
  },
  after: {
    cell: "after `Retry-After`",
    short: "Repeat it after the time that `Retry-After` gives.",
    long: "Yes, after as many seconds as the header `Retry-After` says.",
  },
  backoff: {
    cell: "with longer waits",
    short: "Repeat it, each time after a longer wait.",
    long: "Yes, each time after a longer wait.",
  },
};
