import { hash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { finished } from "node:stream/promises";
import { listenError } from "../../lib/listen-error.ts";
import { UserError } from "../../lib/user-error.ts";
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
 * @throws UserError with exit code 2 if the port or the file cannot be opened
 */
export async function observeUpstream(
  { upstream, port, host, record }: UpstreamOptions,
  traffic: Traffic,
): Promise<void> {
  const recording = record === undefined ? undefined : await recordTo(record);
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
  console.error(`Observing ${upstream} at ${proxy.url}. Interrupt (Ctrl-C) for the report.`);
  await interrupted();
  await proxy.close();
  await recording?.close();
}

const interrupted = (): Promise<void> =>
  new Promise((resolve) => {
    process.once("SIGINT", () => resolve());
    process.once("SIGTERM", () => resolve());
  });

interface Recording {
  write(exchange: TrafficExchange): void;
  /** Resolves once everything is in the file. */
  close(): Promise<void>;
}

/** Writes exchanges as lines, with names in place of keys. */
async function recordTo(file: string): Promise<Recording> {
  const stream = createWriteStream(file, { mode: 0o600 });
  await once(stream, "open").catch((cause: Error) => {
    const hint = `Check the path and the rights: ${cause.message}.`;
    throw new UserError(`${file} cannot be written`, { hint, exitCode: 2, cause });
  });
  const salt = randomBytes(16).toString("hex");
  return {
    write({ requestHeaders, ...exchange }) {
      const { authorization, cookie: _, ...headers } = requestHeaders;
      const name = authorization && `Bearer key-${hash("sha256", salt + authorization, "hex").slice(0, 16)}`;
      const shown = { ...headers, ...(name && { authorization: name }) };
      stream.write(`${JSON.stringify({ ...exchange, requestHeaders: shown })}\n`);
    },
    close: () => finished(stream.end()),
  };
}
