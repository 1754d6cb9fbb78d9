import { curlCommand, shellArgument } from "../../lib/shell.ts";
import { operationsOf, type PlacedOperation } from "../document/operations.ts";
import { readBundle } from "../document/read-bundle.ts";
import { dereference } from "../document/references.ts";
import type { MediaType, OpenApiDocument, Parameter } from "../document/types.ts";
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

/**
 * Two curl commands: one for the first example of an operation, one that selects a named error example, preferably a 409.
 * Undefined if the document has no operation for it.
 */
export function curlExamples(document: OpenApiDocument, url: string): { plain?: string; preferred?: string } {
  const all = operationsOf(document);
  const [simple] = [...all.filter(({ method }) => method === "get"), ...all];
  const choices = all.flatMap((placed) => namedErrors(document, placed).map((name) => ({ placed, ...name })));
  const choice = choices.find(({ status }) => status === "409") ?? choices[0];
  return {
    ...(simple && { plain: curl(document, url, simple) }),
    ...(choice && {
      preferred: curl(document, url, choice.placed, `code=${choice.status}, example=${choice.name}`),
    }),
  };
}

function namedErrors(document: OpenApiDocument, { operation }: PlacedOperation) {
  return Object.entries(operation.responses)
    .filter(([status]) => /^[45]\d\d$/.test(status))
    .flatMap(([status, response]) =>
      Object.values(dereference(document, response).content ?? {}).flatMap(({ examples }) =>
        Object.keys(examples ?? {}).map((name) => ({ status, name })),
      ),
    );
}

function curl(document: OpenApiDocument, url: string, placed: PlacedOperation, prefer?: string): string {
  const { path, method, parameters, operation } = placed;
  const body = firstBody(document, operation.requestBody?.content ?? {});
  const headers = [
    "Authorization: Bearer any-key",
    ...(prefer === undefined ? [] : [`Prefer: ${prefer}`]),
    ...(body === undefined ? [] : ["Content-Type: application/json"]),
  ];
  const command = curlCommand({
    method: method.toUpperCase(),
    url: url + expandPath(path, parameters),
    headers: headers.map(shellArgument),
    ...(body !== undefined && { body: `-d ${shellArgument(body)}` }),
  });
  return command.replaceAll(/^/gm, "  ");
}

function expandPath(path: string, parameters: Parameter[]): string {
  const values = new Map(
    parameters
      .filter((parameter) => parameter.in === "path")
      .map(({ name, example }) => [name, encodeURIComponent(String(example ?? name))]),
  );
  return path.replaceAll(/\{([^}]+)\}/g, (whole, name: string) => values.get(name) ?? whole);
}

function firstBody(document: OpenApiDocument, content: Record<string, MediaType>): string | undefined {
  const [example] = Object.values(content["application/json"]?.examples ?? {});
  return example && JSON.stringify(dereference(document, example).value);
}
