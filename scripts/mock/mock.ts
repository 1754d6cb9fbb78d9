import { readBundle } from "../document/read-bundle.ts";
import type { OpenApiDocument } from "../document/types.ts";
import { curlExamples } from "./curl-examples.ts";
import { type Mock, type PrismOptions, startPrism } from "./prism.ts";

/**
 * Starts Prism on a bundled document and resolves when it listens. Defaults: a free port of 127.0.0.1,
 * `generated/openapi.json`, Prism's own log hidden.
 *
 * @throws UserError if there is no bundle, the port is in use, or Prism does not start
 */
export async function startMock(options: Partial<PrismOptions> = {}): Promise<Mock> {
  const document = options.document ?? (await readBundle());
  return startPrism({ port: 0, host: "127.0.0.1", verbose: false, ...options, document });
}

/** The options of the command `mock`. */
export interface MockCommandOptions {
  port: number;
  host: string;
  verbose?: boolean;
}

/**
 * The command `mock`: starts the mock, prints how to use it, and runs until SIGINT or SIGTERM.
 *
 * @returns the exit code: 0 after SIGINT or SIGTERM
 * @throws UserError if the mock cannot start or ends by itself
 */
export async function runMock(options: MockCommandOptions): Promise<number> {
  // Listens from the start: a signal during start-up stops the mock as soon as it runs.
  const stop = Promise.withResolvers<void>();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.resolve());
  const document = await readBundle();
  const mock = await startMock({ ...options, document });
  console.log(introduction(document, mock.url));
  try {
    await Promise.race([stop.promise, mock.ended]);
  } finally {
    await mock.close();
  }
  return 0;
}

function introduction(document: OpenApiDocument, url: string): string {
  const { plain, preferred } = curlExamples(document, url);
  return [
    `The mock listens at ${url} and returns documented examples.`,
    ...(plain === undefined ? [] : ["", "Try it (any API key works):", "", plain]),
    "",
    "Request any example by its status and name:",
    ...(preferred === undefined ? [] : ["", preferred]),
    "",
    "The header is `Prefer: code=<status>, example=<name>`; for 2XX use code=200.",
    "Without it, the mock returns the first success example, or the first 422",
    "example for an invalid request, whichever field is invalid.",
    "It keeps no state. For state, use `npm run sandbox`.",
    "Unknown paths, methods and examples, and bodies that are not JSON, get",
    "Prism's own error responses.",
    "",
    "Press Ctrl+C to stop.",
  ].join("\n");
}
