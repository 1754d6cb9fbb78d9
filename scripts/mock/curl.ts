import { operationsOf, type PlacedOperation } from "../document/operations.ts";
import { dereference } from "../document/references.ts";
import type { MediaType, OpenApiDocument, Parameter } from "../document/types.ts";

/**
 * Two command lines that work when pasted into a shell: one that asks for the first example, and one that asks for a certain
 * one, preferably a conflict. Undefined where the document has no operation for it.
 */
export function curlLines(document: OpenApiDocument, url: string): { plain?: string; preferred?: string } {
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
    .flatMap(([status, answer]) =>
      Object.values(dereference(document, answer).content ?? {}).flatMap(({ examples }) =>
        Object.keys(examples ?? {}).map((name) => ({ status, name })),
      ),
    );
}

function curl(document: OpenApiDocument, url: string, placed: PlacedOperation, prefer?: string): string {
  const { path, method, parameters, operation } = placed;
  const body = firstBody(document, operation.requestBody?.content ?? {});
  const pieces = [
    `curl -i ${method === "get" ? "" : `-X ${method.toUpperCase()} `}${quoted(url + filled(path, parameters))}`,
    `-H ${quoted("Authorization: Bearer any-key")}`,
    ...(prefer === undefined ? [] : [`-H ${quoted(`Prefer: ${prefer}`)}`]),
    ...(body === undefined ? [] : [`-H ${quoted("Content-Type: application/json")}`, `-d ${quoted(body)}`]),
  ];
  return pieces.map((piece, index) => (index === 0 ? `  ${piece}` : `    ${piece}`)).join(" \\\n");
}

function filled(path: string, parameters: Parameter[]): string {
  const values = parameters
    .filter((parameter) => parameter.in === "path")
    .map(({ name, example }): [string, string] => [name, encodeURIComponent(String(example ?? name))]);
  const named = new Map(values);
  return path.replaceAll(/\{([^}]+)\}/g, (whole, name: string) => named.get(name) ?? whole);
}

function firstBody(document: OpenApiDocument, content: Record<string, MediaType>): string | undefined {
  const [example] = Object.values(content["application/json"]?.examples ?? {});
  return example && JSON.stringify(dereference(document, example).value);
}

/** One word of a shell, whatever is in it. */
const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;
