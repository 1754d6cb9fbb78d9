import { baseUrlOf } from "../../document/base-url.ts";
import { type ExampleRequest, exampleRequests } from "../../document/example-requests.ts";
import type { OpenApiDocument } from "../../document/types.ts";
import { languages } from "../samples/languages.ts";
import { rowOf } from "../samples/table.ts";
import { codeBlock, joined } from "../text/markdown.ts";

export interface Sample {
  /** The name of the language. */
  title: string;
  block: string;
}

/** The samples by operationId. */
export type Samples = ReadonlyMap<string, Sample[]>;

/** The request of each operation in every language. */
export function samplesOf(document: OpenApiDocument): Samples {
  const baseUrl = baseUrlOf(document);
  return new Map(sampleRequests(document).map((request) => [request.operationId, written(request, baseUrl)]));
}

/** The request of each operation that the table names, or the first example of one that it does not have. */
export function sampleRequests(document: OpenApiDocument): ExampleRequest[] {
  const byOperation = Map.groupBy(exampleRequests(document), ({ operationId }) => operationId);
  return [...byOperation].flatMap(([operationId, requests]) => {
    const { example, headers } = rowOf(operationId) ?? {};
    const request = requests.find(({ name }) => name === example) ?? requests[0];
    return request === undefined ? [] : [{ ...request, headers: { ...request.headers, ...headers } }];
  });
}

const written = (request: ExampleRequest, baseUrl: string): Sample[] =>
  languages.flatMap(({ title, highlight, note, write }) => {
    const code = write(request, baseUrl);
    return code === undefined ? [] : [{ title, block: joined(codeBlock(highlight, code), note) }];
  });
