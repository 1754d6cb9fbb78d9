import { hash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { finished } from "node:stream/promises";
import { UserError } from "../../lib/user-error.ts";
import type { TrafficExchange } from "./traffic.ts";

/** A file that traffic is written to. */
export interface Recording {
  write(exchange: TrafficExchange): void;
  /** Rejects with a UserError with exit code 2 once the file cannot be written any more. */
  failed: Promise<never>;
  /** Resolves once everything is in the file. */
  close(): Promise<void>;
}

/**
 * Writes exchanges as lines, with names in place of keys.
 * @throws UserError with exit code 2 if the file cannot be opened
 */
export async function recordTo(file: string): Promise<Recording> {
  const fail = (cause: Error): never => {
    const hint = `Check the path, the rights and the free space: ${cause.message}.`;
    throw new UserError(`${file} cannot be written`, { hint, exitCode: 2, cause });
  };
  const stream = createWriteStream(file, { mode: 0o600 });
  await once(stream, "open").catch(fail);
  const written = finished(stream).catch(fail);
  const failed = written.then(() => new Promise<never>(() => {}));
  // It is also reported when the file is closed.
  failed.catch(() => {});
  const salt = randomBytes(16).toString("hex");
  return {
    write({ requestHeaders, ...exchange }) {
      const { authorization, cookie: _, ...headers } = requestHeaders;
      const name = authorization && `Bearer key-${hash("sha256", salt + authorization, "hex").slice(0, 16)}`;
      const shown = { ...headers, ...(name && { authorization: name }) };
      stream.write(`${JSON.stringify({ ...exchange, requestHeaders: shown })}\n`);
    },
    failed,
    close: () => {
      stream.end();
      return written;
    },
  };
}
