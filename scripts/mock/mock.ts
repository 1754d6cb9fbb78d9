import { printLine } from "../../lib/print.ts";
import { curlCommand, shellArgument } from "../../lib/shell.ts";
import { operationsOf } from "../document/operations.ts";
import { readBundle } from "../document/read-bundle.ts";
import { dereference } from "../document/references.ts";
import { type ExampleRequest, exampleRequests } from "../document/requests.ts";
import type { OpenApiDocument, ResponseObject } from "../document/types.ts";
import { type PrismOptions, startMock } from "./prism.ts";

/**
 * The command `mock`: starts the mock, prints how to use it, and runs until SIGINT or SIGTERM.
 * @returns the exit code: 0 after SIGINT or SIGTERM
 * @throws UserError if the mock cannot start or ends by itself
 */
export async function runMock(options: Pick<PrismOptions, "port" | "host" | "verbose">): Promise<number> {
  // Listens from the start: a signal during start-up stops the mock as soon as it runs.
  const stop = Promise.withResolvers<void>();
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.once(signal, () => stop.resolve());
  const document = await readBundle();
  const mock = await startMock({ ...options, document });
  printLine(introduction(document, mock.url));
  try {
    await Promise.race([stop.promise, mock.ended]);
  } finally {
    await mock.close();
  }
  return 0;
}

function introduction(document: OpenApiDocument, url: string): string {
  const [plain, preferred] = curlExamples(document, url);
  return [
    `The mock listens at ${url} and returns documented examples.`,
    "",
    "Try it (any API key works):",
    "",
    plain,
    "",
    "Request any example by its status and name:",
    "",
    preferred,
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

/** Two curl commands: one for the first example of a GET, one that selects the first example of a 409 by its name. */
export function curlExamples(document: OpenApiDocument, url: string): string[] {
  const requests = exampleRequests(document);
  const simple = requests.filter(({ method }) => method === "GET").map((request) => curl(request, url));
  const preferring = operationsOf(document).flatMap(({ id, operation }) => {
    const { content = {} } = dereference<Partial<ResponseObject>>(document, operation.responses["409"] ?? {});
    const conflicting = requests.filter(({ operationId }) => operationId === id);
    return Object.values(content)
      .flatMap(({ examples }) => Object.keys(examples))
      .flatMap((name) => conflicting.map((request) => curl(request, url, `code=409, example=${name}`)));
  });
  return [...simple.slice(0, 1), ...preferring.slice(0, 1)];
}

function curl({ method, path, body }: ExampleRequest, url: string, prefer?: string): string {
  return curlCommand({
    method,
    url: url + path,
    headers: [
      "Authorization: Bearer any-key",
      ...(prefer === undefined ? [] : [`Prefer: ${prefer}`]),
      ...(body === undefined ? [] : ["Content-Type: application/json"]),
    ].map(shellArgument),
    ...(body !== undefined && { body: `-d ${shellArgument(JSON.stringify(body))}` }),
  }).replaceAll(/^/gm, "  ");
}
