import { readBundle } from "./document/read-bundle.ts";
import type { OpenApiDocument } from "./document/types.ts";
import { curlLines } from "./mock/curl.ts";
import { type Mock, startPrism } from "./mock/prism.ts";

export interface MockOptions {
  /** The port to listen on; 0, which is the default, takes a free one. */
  port?: number;
  /** The address of the interface to listen on, 127.0.0.1 unless told otherwise. */
  host?: string;
  /** The bundled document to serve; `generated/openapi.json` unless told otherwise. */
  document?: OpenApiDocument;
  /** Whether Prism's own log goes to standard error. */
  verbose?: boolean;
}

/**
 * Starts Prism on a bundled document and resolves when it listens. It ends with `close()` and, whatever happens,
 * with this process.
 *
 * @throws Failure when there is no bundle, when the port is taken, and when Prism does not come up
 */
export async function startMock(options: MockOptions = {}): Promise<Mock> {
  const { port = 0, host = "127.0.0.1", verbose = false, document = await readBundle() } = options;
  return startPrism({ port, host, verbose, document });
}

/** The options of the verb `mock`. */
export interface MockVerbOptions {
  port: number;
  host: string;
  verbose?: boolean;
}

/**
 * The verb `mock`: starts the mock, says how to call it, and runs until it is told to stop.
 *
 * @returns the exit status: 0 after SIGINT or SIGTERM
 * @throws Failure when the mock cannot start or ends by itself
 */
export async function runMock({ port, host, verbose = false }: MockVerbOptions): Promise<number> {
  // Told to stop while it starts, it ends just as well: once it has started.
  const stop = Promise.withResolvers<void>();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.resolve());
  const document = await readBundle();
  const mock = await startPrism({ port, host, verbose, document });
  console.log(introduction(document, mock.url));
  try {
    await Promise.race([stop.promise, mock.ended]);
  } finally {
    await mock.close();
  }
  return 0;
}

function introduction(document: OpenApiDocument, url: string): string {
  const { plain, preferred } = curlLines(document, url);
  return [
    `The mock answers at ${url} with the examples of the document.`,
    ...(plain === undefined ? [] : ["", "Try it (any key will do):", "", plain]),
    "",
    "Ask for any example by its status and its name:",
    ...(preferred === undefined ? [] : ["", preferred]),
    "",
    "The header is `Prefer: code=<status>, example=<name>`; 2XX is asked for as 200.",
    "Without it comes the first example of a success, or 422 for a bad request.",
    "It keeps no state: an example that replays has Idempotent-Replayed each time.",
    "An address, a method or an example that is not in the document, and a body",
    "that is no JSON, are answered in Prism's own form.",
    "",
    "Press Ctrl-C to stop.",
  ].join("\n");
}
