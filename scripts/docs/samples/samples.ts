import { baseUrlOf, type ExampleRequest, exampleRequests } from "../../document/requests.ts";
import type { OpenApiDocument } from "../../document/types.ts";
import type { Page } from "../page.ts";
import { box, codeBlock, joined, type Tab, tabs, unsearched } from "../text/markdown.ts";
import { guideRows, languages, sampleRows } from "./languages.ts";

export interface Sample {
  /** The name of the language. */
  title: string;
  block: string;
}

export type Samples = ReadonlyMap<string, Sample[]>;

/** A tab for each language. @param name unique on the page */
export function sampleTabs(name: string, samples: readonly Sample[]): string {
  const parts = samples.map(
    ({ title, block }, index): Tab => ({
      label: title,
      text: joined(`**${title}**`, block),
      // One language is enough for a reader of Markdown.
      isSiteOnly: index > 0,
    }),
  );
  return tabs({ name, legend: "Language", className: "lines", choice: "language" }, parts);
}

/** The request of each operation in every language. */
export function samplesOf(document: OpenApiDocument): Samples {
  const baseUrl = baseUrlOf(document);
  return new Map(sampleRequests(document).map((request) => [request.operationId, written(request, baseUrl)]));
}

/** The request of each operation: with the first example of its body. */
export function sampleRequests(document: OpenApiDocument): ExampleRequest[] {
  const byOperation = Map.groupBy(exampleRequests(document), ({ operationId }) => operationId);
  return [...byOperation.values()].flatMap(([request]) =>
    request === undefined ? [] : [withHeaders(request, sampleRows[request.operationId]?.headers)],
  );
}

const withHeaders = (request: ExampleRequest, headers: ExampleRequest["headers"] = {}): ExampleRequest => ({
  ...request,
  headers: { ...request.headers, ...headers },
});

/** The requests that guides show in every language, by their names. */
export const guideRequests = (document: OpenApiDocument): Map<string, ExampleRequest> =>
  new Map(
    Object.entries(guideRows).flatMap(([key, { operationId, example, headers }]) =>
      exampleRequests(document)
        .filter((request) => request.operationId === operationId && request.name === example)
        .map((request) => [key, withHeaders(request, headers)]),
    ),
  );

/** A guide with its samples; without those of requests that the document no longer has. */
export function withSamples(document: OpenApiDocument, page: Page): Page {
  const requests = guideRequests(document);
  const text = page.text.replaceAll(/<div data-samples="(\w+)"><\/div>/g, (_, name: string) => {
    const request = requests.get(name);
    if (request === undefined) return "";
    return box("panel request", sampleTabs(`samples-${name}`, written(request, baseUrlOf(document))));
  });
  return { ...page, text };
}

const written = (request: ExampleRequest, baseUrl: string): Sample[] =>
  languages.flatMap(({ id, title, highlight = id, note, write }) => {
    const code = write(request, baseUrl);
    return code === undefined ? [] : [{ title, block: joined(unsearched(codeBlock(highlight, code)), note) }];
  });
