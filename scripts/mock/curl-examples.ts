import { curlCommand, shellArgument } from "../../lib/shell.ts";
import { operationsOf, type PlacedOperation } from "../document/operations.ts";
import { dereference } from "../document/references.ts";
import type { MediaType, OpenApiDocument, Parameter } from "../document/types.ts";

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

function namedErrors(
  document: OpenApiDocument,
  { operation }: PlacedOperation,
): { status: string; name: string }[] {
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
