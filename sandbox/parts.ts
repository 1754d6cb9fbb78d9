import type { Services } from "./api/context.ts";
import { createFailures } from "./control/failures.ts";
import { usualDelays } from "./domain/due.ts";
import type { SandboxOptions } from "./options.ts";
import { createIds } from "./store/ids.ts";

/** The longest that a download may take, in milliseconds of real time. */
const downloadTimeout = 20_000;

/** Puts together what the API works on. */
export function createServices(
  options: SandboxOptions,
  core: Pick<Services, "store" | "clock" | "directory">,
): Services {
  const { randomSeed = "sandbox", delays, downloads, requestsPerMinute, onRequest, onError } = options;
  return {
    ...core,
    ids: createIds({ seed: randomSeed, store: core.store }),
    failures: createFailures(),
    delays: { ...usualDelays, ...delays },
    ...(downloads && { download }),
    ...(requestsPerMinute !== undefined && { requestsPerMinute }),
    ...(onRequest !== undefined && { onRequest }),
    ...(onError !== undefined && { onError }),
  };
}

/** Loaded with the first link, since most sandboxes never follow one. */
const download: NonNullable<Services["download"]> = async (link, maxBytes) => {
  const mail = await import("./mail/download.ts");
  return mail.download(link, { maxBytes, timeoutMilliseconds: downloadTimeout });
};
