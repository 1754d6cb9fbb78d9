import { hash, randomBytes } from "node:crypto";
import { once } from "node:events";
import { createReadStream, createWriteStream, statSync } from "node:fs";
import { chmod, rename, rm } from "node:fs/promises";
import { finished, pipeline } from "node:stream/promises";
import type { Role, Settings } from "../../contract/engine/settings.ts";
import { Credentials, harmlessUrl, isHarmless } from "../../contract/observe/credentials.ts";
import { recordedName } from "../../contract/observe/keys.ts";
import { connectionProblem } from "../../lib/connection.ts";
import { printNotice } from "../../lib/print.ts";
import { wrapped } from "../../lib/text.ts";
import { type ListenOptions, listenError, usageError } from "../../lib/user-error.ts";
import { type ObservingProxy, startProxy } from "./proxy.ts";
import { linesIn } from "./read-traffic.ts";
import type { Traffic, TrafficExchange } from "./traffic.ts";

interface UpstreamOptions extends ListenOptions {
  upstream: string;
  record?: string;
  /** Those of the configuration, which are named after their roles in the file. */
  keys?: Settings["keys"];
  showBodies?: boolean;
}

/**
 * Passes requests on to a server until the process is interrupted, and observes them. Returns why the last request without a response had none.
 * @throws UserError with exit code 2 if the port cannot be opened or the file cannot be written
 */
export async function observeUpstream(
  { upstream, port, host, record, keys, showBodies }: UpstreamOptions,
  traffic: Traffic,
): Promise<ReturnType<typeof connectionProblem> | undefined> {
  const recording = record === undefined ? undefined : await recordTo(record, keys, showBodies);
  const onExchange = (exchange: TrafficExchange): void => {
    recording?.write(exchange);
    traffic.add(exchange);
  };
  let problem: ReturnType<typeof connectionProblem> | undefined;
  const onProblem = (error: unknown): void => {
    const isFirst = problem === undefined;
    problem = connectionProblem(error, 0);
    if (isFirst)
      printNotice(wrapped(`${upstream} did not respond: ${problem.reason}. ${problem.hint ?? ""}`));
  };
  let proxy: ObservingProxy | undefined;
  try {
    proxy = await startProxy({ upstream, port, host, onExchange, onProblem }).catch(
      (error: NodeJS.ErrnoException) => {
        throw listenError(error.code, { host, port }, error) ?? error;
      },
    );
    printNotice(`Observing ${upstream} at ${proxy.url}. Interrupt (Ctrl-C) for the report.`);
    const interrupted = ["SIGINT", "SIGTERM"].map((signal) => once(process, signal));
    await Promise.race([...interrupted, ...(recording === undefined ? [] : [recording.failed])]);
  } finally {
    await proxy?.close();
    await recording?.close();
  }
  return problem;
}

/** The most bytes that wait for the disk. */
const mostWaiting = 64 * 1024 * 1024;

/**
 * Writes exchanges as lines, with names in place of keys; those of the configuration are named after their roles. Unless bodies are shown as
 * they are, other numbers stand for those of six digits.
 * @throws UserError with exit code 2 if the file cannot be opened
 */
export async function recordTo(file: string, keys: Settings["keys"] = {}, showsBodies = false) {
  const fail = (cause: Error, what = "cannot be written"): never => {
    const reason = cause.message.replaceAll(temporaryOf(file), file);
    throw usageError(`${file} ${what}`, `Check the path, the rights and the free space: ${reason}.`, cause);
  };
  const stream = createWriteStream(file, { mode: 0o600 });
  await once(stream, "open").catch(fail);
  // The mode of a new file; an existing one keeps its own.
  if (statSync(file).isFile()) await chmod(file, 0o600).catch(fail);
  const overflow = Promise.withResolvers<never>();
  // A write in progress delays the end of the stream, for as long as it takes.
  const written = Promise.race([finished(stream), overflow.promise]).catch(fail);
  const failed = written.then(() => new Promise<never>(() => {}));
  // It is also reported when the file is closed.
  failed.catch(() => {});
  const nameOf = namesFor(keys);
  const credentials = new Credentials({ keys });
  const hideCodes = showsBodies ? (text: string): string => text : codesHidden();
  const clean = (text: string): string => hideCodes(credentials.redact(text));
  let lines = 0;
  let hasLate = false;
  return {
    write: (exchange: TrafficExchange): void => {
      if (credentials.add(exchange) && lines > 0) hasLate = true;
      lines += 1;
      stream.write(`${JSON.stringify(withoutSecrets(exchange, nameOf, credentials.redact, clean))}\n`);
      if (stream.writableLength <= mostWaiting) return;
      overflow.reject(new Error("it takes less than the traffic brings"));
      stream.destroy();
    },
    /** Rejects with a UserError with exit code 2 once the file cannot be written any more. */
    failed,
    /** Resolves once everything is in the file. */
    close: async (): Promise<void> => {
      stream.end();
      await written;
      if (!hasLate || !statSync(file).isFile()) return;
      const what = "has credentials that cannot be removed: keep it secret, or delete it";
      await redactFile(file, credentials.redact).catch((cause: Error) => fail(cause, what));
    },
  };
}

const temporaryOf = (file: string): string => `${file}.${process.pid}.tmp`;

/** Redacts what only later exchanges show to be a credential, in values: one may be the name of a property. */
async function redactFile(file: string, redact: (text: string) => string): Promise<void> {
  const redactValue = (_: string, value: unknown) => (typeof value === "string" ? redact(value) : value);
  const temporary = temporaryOf(file);
  await pipeline(
    linesIn(createReadStream(file, "utf8"), file),
    async function* (lines) {
      for await (const line of lines)
        if (line !== "") yield `${JSON.stringify(JSON.parse(line, redactValue))}\n`;
    },
    createWriteStream(temporary, { mode: 0o600 }),
  ).catch(async (error: unknown) => {
    await rm(temporary, { force: true });
    throw error;
  });
  await rename(temporary, file);
}

/** Names keys, each key always the same. The scheme stays: after another one than `Bearer`, there is no key. */
function namesFor(configured: Settings["keys"]): (authorization: string) => string {
  const names = new Map(Object.entries(configured).map(([role, key]) => [key, recordedName(role as Role)]));
  const salt = randomBytes(16).toString("hex");
  return (authorization) => {
    const [, scheme = "Unknown"] = /^(bearer|basic|digest|token|api-?key) /i.exec(authorization) ?? [];
    const known = names.get(authorization.replace(/^Bearer +/i, ""));
    return `${scheme} ${known ?? `key-${hash("sha256", salt + authorization, "hex").slice(0, 16)}`}`;
  };
}

/** Numbers of six digits, but not the ids of lists, fractions of seconds and parts of email addresses. */
const codes =
  /(?<=^|[^\w.]|\D\.|\\[nrt]|\\u[\da-f]{4})\d{6}(?![\w-]|\.\d|@|%40)(?<!"(?:list_)?id": ?\d{6})/gi;

/** Replaces what may be a code for one person, each by the same number: a record with `***` could not be compared. */
function codesHidden(): (text: string) => string {
  const salt = randomBytes(16).toString("hex");
  const numberOf = (code: string) => Number.parseInt(hash("sha256", salt + code, "hex").slice(0, 12), 16);
  return (text) => text.replaceAll(codes, (code) => String(100_000 + (numberOf(code) % 900_000)));
}

/** The exchange with what is known to be harmless, and without any credential in it. */
function withoutSecrets(
  exchange: TrafficExchange,
  nameOf: ReturnType<typeof namesFor>,
  redact: (text: string) => string,
  clean: (text: string) => string,
): TrafficExchange {
  const { url, requestHeaders, requestBody, responseHeaders, responseBody } = exchange;
  const cleanHeaders = (given: Record<string, string>): Record<string, string> =>
    Object.fromEntries(
      Object.entries(given).flatMap(([name, value]) => (isHarmless(name) ? [[name, redact(value)]] : [])),
    );
  const { authorization } = requestHeaders;
  return {
    ...exchange,
    url: clean(harmlessUrl(url)),
    requestHeaders: {
      ...cleanHeaders(requestHeaders),
      ...(authorization && { authorization: nameOf(authorization) }),
    },
    requestBody: requestBody && clean(requestBody),
    responseHeaders: cleanHeaders(responseHeaders),
    responseBody: clean(responseBody),
  };
}
