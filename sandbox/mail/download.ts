import { once } from "node:events";
import http, { type IncomingMessage } from "node:http";
import type { TLSSocket } from "node:tls";
import { checkLink } from "./guard.ts";
import { LinkError } from "./link-error.ts";
import { internet, type Network, openPublicSocket } from "./public-socket.ts";

export interface DownloadLimits {
  /** The most that is read of a file. */
  maxBytes: number;
  /** The longest that all of it may take, from looking up the host to the last byte. Real time, whatever the sandbox's clock says. */
  timeoutMilliseconds: number;
}

/** A file, or why there is none, in a sentence for people. */
export type Download = { bytes: Uint8Array } | { fault: string; tooLarge: boolean };

/**
 * Downloads the file that a link leads to, from the public internet and nowhere else. Redirects are not followed: each would be another
 * link to check, and a sender can give the one that it leads to. Nothing is unpacked. Never rejects.
 */
export async function download(
  link: string,
  limits: DownloadLimits,
  network: Network = internet,
): Promise<Download> {
  const signal = AbortSignal.timeout(limits.timeoutMilliseconds);
  try {
    return { bytes: await within(signal, fetchFile(link, limits.maxBytes, network, signal)) };
  } catch (error) {
    const fault = signal.aborted ? "The file did not arrive in time." : "The file could not be downloaded.";
    return error instanceof LinkError
      ? { fault: error.message, tooLarge: error.tooLarge }
      : { fault, tooLarge: false };
  }
}

/** Looking up a name cannot be called off; it is left behind. */
async function within<Result>(signal: AbortSignal, work: Promise<Result>): Promise<Result> {
  const called = Promise.withResolvers<never>();
  const stop = () => called.reject(signal.reason);
  signal.addEventListener("abort", stop, { once: true });
  try {
    return await Promise.race([work, called.promise]);
  } finally {
    signal.removeEventListener("abort", stop);
  }
}

async function fetchFile(
  link: string,
  maxBytes: number,
  network: Network,
  signal: AbortSignal,
): Promise<Uint8Array> {
  const checked = checkLink(link);
  if (checked.fault !== null) throw new LinkError(checked.fault);
  const socket = await openPublicSocket(checked.host, network, signal);
  try {
    return await readFile(await get(checked.url, socket, signal), maxBytes);
  } finally {
    socket.destroy();
  }
}

async function get(url: URL, socket: TLSSocket, signal: AbortSignal): Promise<IncomingMessage> {
  const request = http.request({
    ...{ createConnection: () => socket, method: "GET", path: `${url.pathname}${url.search}`, signal },
    headers: { host: url.host, accept: "*/*", "accept-encoding": "identity", connection: "close" },
  });
  // An error that comes right behind the answer finds nobody waiting any more, and would end the process.
  request.on("error", () => {});
  request.end();
  const [answer] = (await once(request, "response")) as [IncomingMessage];
  return answer;
}

async function readFile(answer: IncomingMessage, maxBytes: number): Promise<Uint8Array> {
  checkAnswer(answer, maxBytes);
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of answer as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge();
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function checkAnswer({ statusCode = 0, headers }: IncomingMessage, maxBytes: number): void {
  if (statusCode >= 300 && statusCode < 400)
    throw new LinkError("The link redirects elsewhere, which is not followed.");
  if (statusCode !== 200) throw new LinkError(`The link's host answered ${statusCode} instead of the file.`);
  // Nothing packed was asked for, and unpacking could make much of little.
  const packed = headers["content-encoding"] ?? "identity";
  if (packed.toLowerCase() !== "identity")
    throw new LinkError("The link's host sent the file in a packed form.");
  if (Number(headers["content-length"] ?? 0) > maxBytes) throw tooLarge();
}

function tooLarge(): LinkError {
  return new LinkError("The file is too large for a message.", { tooLarge: true });
}
