import { baseUrlOf, type ExampleRequest, exampleRequests } from "../../document/requests.ts";
import type { OpenApiDocument } from "../../document/types.ts";
import type { Page } from "../page.ts";
import { box, codeBlock, joined, type Tab, tabs } from "../text/markdown.ts";
import { languages, sampleRows } from "./languages.ts";

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
    request === undefined ? [] : [withKey(request, sampleRows[request.operationId]?.key)],
  );
}

const withKey = (request: ExampleRequest, key: string | undefined): ExampleRequest => ({
  ...request,
  headers: { ...request.headers, ...(key && { "Idempotency-Key": key }) },
});

/** `<div data-samples="sendEmail scheduled"></div>` in a guide: an example of an operation in every language. */
const samplesMark = /<div data-samples="(\w+) (\w+)"><\/div>/g;

/** A guide with its samples; without those of requests that the document no longer has. */
export function withSamples(document: OpenApiDocument, page: Page): Page {
  const text = page.text.replaceAll(samplesMark, (_, id: string, example: string) => {
    const request = guideRequest(document, id, example);
    const samples = request && written(request, baseUrlOf(document));
    return samples === undefined ? "" : box("panel request", sampleTabs(`samples-${example}`, samples));
  });
  return { ...page, text };
}

/** With an idempotency key of its own: a reader may send the request of the operation before. */
export const guideRequest = (document: OpenApiDocument, id: string, example: string) =>
  exampleRequests(document)
    .filter(({ operationId, name }) => operationId === id && name === example)
    .map((request) => withKey(request, `${example}-1042`))[0];

/** A request in every language. A header `Authorization: Bearer NAME` names the environment variable of its key. */
export const written = (
  { headers: { Authorization = "Bearer EMAIL_API_KEY", ...headers }, ...request }: ExampleRequest,
  baseUrl: string,
): Sample[] =>
  languages.flatMap(({ id, title, highlight = id, note, write }) => {
    const code = write({ ...request, headers }, baseUrl)?.replaceAll("EMAIL_API_KEY", Authorization.slice(7));
    if (code === undefined) return [];
    // The search does not find a page by its samples, and does not show them.
    const block = joined("<div data-pagefind-ignore>", codeBlock(highlight, code), "</div>", note);
    return [{ title, block }];
  });
