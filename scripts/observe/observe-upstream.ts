import { hash, randomBytes } from "node:crypto";
import { createWriteStream } from "node:fs";
import { listenError } from "../../lib/listen-error.ts";
import { startProxy } from "./proxy.ts";
import type { Traffic, TrafficExchange } from "./traffic.ts";

interface UpstreamOptions {
  upstream: string;
  port: number;
  host: string;
  /** The file to write the traffic to. */
  record?: string;
}

/**
 * Passes requests on to a server until the process is interrupted, and observes them.
 * @throws UserError with exit code 2 if the port cannot be opened
 */
export async function observeUpstream(
  { upstream, port, host, record }: UpstreamOptions,
  traffic: Traffic,
): Promise<void> {
  const write = record === undefined ? undefined : recordTo(record);
  const proxy = await startProxy({
    upstream,
    port,
    host,
    onExchange: (exchange) => {
      write?.(exchange);
      traffic.add(exchange);
    },
  }).catch((error: NodeJS.ErrnoException) => {
    throw listenError(error.code, { host, port }, error) ?? error;
  });
  console.error(`Observing ${upstream} at ${proxy.url}. Interrupt (Ctrl-C) for the report.`);
  await interrupted();
  await proxy.close();
}

const interrupted = (): Promise<void> =>
  new Promise((resolve) => {
    process.once("SIGINT", () => resolve());
    process.once("SIGTERM", () => resolve());
  });

/** Writes exchanges as lines, with names in place of keys. */
function recordTo(file: string): (exchange: TrafficExchange) => void {
  const stream = createWriteStream(file, { mode: 0o600 });
  const salt = randomBytes(16).toString("hex");
  return ({ requestHeaders, ...exchange }) => {
    const { authorization, cookie: _, ...headers } = requestHeaders;
    const name = authorization && `Bearer key-${hash("sha256", salt + authorization, "hex").slice(0, 16)}`;
    stream.write(
      `${JSON.stringify({ ...exchange, requestHeaders: { ...headers, ...(name && { authorization: name }) } })}\n`,
    );
  };
}
