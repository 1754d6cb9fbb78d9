import type { Settings } from "../../contract/engine/settings.ts";
import { listenError } from "../../lib/listen-error.ts";
import { startProxy } from "./proxy.ts";
import { type Recording, recordTo } from "./recording.ts";
import type { Traffic } from "./traffic.ts";

interface UpstreamOptions {
  upstream: string;
  port: number;
  host: string;
  /** The file to write the traffic to. */
  record?: string;
  /** Those of the configuration, which are named after their roles in the file. */
  keys?: Settings["keys"];
}

/**
 * Passes requests on to a server until the process is interrupted, and observes them.
 * @throws UserError with exit code 2 if the port cannot be opened or the file cannot be written
 */
export async function observeUpstream(
  { record, keys, ...options }: UpstreamOptions,
  traffic: Traffic,
): Promise<void> {
  const recording = record === undefined ? undefined : await recordTo(record, keys);
  try {
    await passOn(options, traffic, recording);
  } finally {
    await recording?.close();
  }
}

async function passOn(
  { upstream, port, host }: Omit<UpstreamOptions, "record" | "keys">,
  traffic: Traffic,
  recording: Recording | undefined,
): Promise<void> {
  const proxy = await startProxy({
    upstream,
    port,
    host,
    onExchange: (exchange) => {
      recording?.write(exchange);
      traffic.add(exchange);
    },
  }).catch((error: NodeJS.ErrnoException) => {
    throw listenError(error.code, { host, port }, error) ?? error;
  });
  try {
    console.error(`Observing ${upstream} at ${proxy.url}. Interrupt (Ctrl-C) for the report.`);
    await Promise.race([interrupted(), ...(recording === undefined ? [] : [recording.failed])]);
  } finally {
    await proxy.close();
  }
}

const interrupted = (): Promise<void> =>
  new Promise((resolve) => {
    process.once("SIGINT", () => resolve());
    process.once("SIGTERM", () => resolve());
  });
