import { createFailures } from "./control/failures.ts";
import { usualDelays } from "./domain/due.ts";
import type { Parts } from "./exchange.ts";
import { createIds } from "./ids.ts";
import type { SandboxOptions } from "./options.ts";

/** The longest that a download may take, in milliseconds of real time. */
const downloadTimeout = 20_000;

/** Puts together what the API works on. */
export function createParts(
  options: SandboxOptions,
  core: Pick<Parts, "store" | "clock" | "directory">,
): Parts {
  const { randomSeed = "sandbox", delays, downloads, requestsPerMinute, onCall, onError } = options;
  return {
    ...core,
    ids: createIds({ seed: randomSeed, store: core.store }),
    failures: createFailures(),
    delays: { ...usualDelays, ...delays },
    ...(downloads && { download }),
    ...(requestsPerMinute !== undefined && { requestsPerMinute }),
    ...(onCall !== undefined && { onCall }),
    ...(onError !== undefined && { onError }),
  };
}

/** Loaded with the first link, since most sandboxes never follow one. */
const download: NonNullable<Parts["download"]> = async (link, maxBytes) => {
  const mail = await import("./mail/download.ts");
  return mail.download(link, { maxBytes, timeoutMilliseconds: downloadTimeout });
};
