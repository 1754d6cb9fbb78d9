import { baseUrlOf, type ExampleRequest, exampleRequests } from "../../document/requests.ts";
import type { OpenApiDocument } from "../../document/types.ts";
import { sampleTabs } from "../parts/panels.ts";
import { languages } from "../samples/languages.ts";
import { guideRows, rowOf } from "../samples/table.ts";
import { box, unsearched } from "../text/layout.ts";
import { codeBlock, joined } from "../text/markdown.ts";
import type { Page } from "./page.ts";

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

/** The requests that guides show in every language, by their names. */
export const guideRequests = (document: OpenApiDocument): Map<string, ExampleRequest> =>
  new Map(
    Object.entries(guideRows).flatMap(([key, { operationId, example, headers }]) =>
      exampleRequests(document)
        .filter((request) => request.operationId === operationId && request.name === example)
        .map((request) => [key, { ...request, headers: { ...request.headers, ...headers } }]),
    ),
  );

const samplesElement = /<div data-samples="(\w+)"><\/div>/g;

/** A guide with its samples; without those of requests that the document no longer has. */
export function withSamples(document: OpenApiDocument, page: Page): Page {
  const requests = guideRequests(document);
  const text = page.text.replaceAll(samplesElement, (_, name: string) => {
    const request = requests.get(name);
    if (request === undefined) return "";
    return box("panel request", sampleTabs(`samples-${name}`, written(request, baseUrlOf(document))));
  });
  return { ...page, text };
}

const written = (request: ExampleRequest, baseUrl: string): Sample[] =>
  languages.flatMap(({ title, highlight, note, write }) => {
    const code = write(request, baseUrl);
    return code === undefined ? [] : [{ title, block: joined(unsearched(codeBlock(highlight, code)), note) }];
  });
