import { beforeAll, expect, test } from "vitest";
import { readTrace } from "../../../scripts/docs/pages/trace.ts";
import { readBundle } from "../../../scripts/document/read-bundle.ts";
import type { OpenApiDocument } from "../../../scripts/document/types.ts";
import { readSamples } from "../samples/samples.ts";
import { type Fact, operationSpot } from "./facts/fact.ts";
import { factsOf } from "./facts/facts.ts";
import { lostFacts, type Places, plain, readPlaces } from "./page-parts.ts";

let places: Places;
let document: OpenApiDocument;
let facts: Fact[];
beforeAll(async () => {
  places = await readPlaces();
  document = await readBundle();
  facts = factsOf(document, await readTrace());
}, 240_000);

test("every fact of the document stands where a reader looks for it, without scripts too", () => {
  expect(lostFacts(facts, places)).toEqual([]);
  const kinds = new Set(facts.map(({ kind }) => kind));
  console.log(
    `${facts.length} facts of ${kinds.size} kinds were looked for at their places on ${places.size} pages.`,
  );
});

test("every sentence of the document is one of the facts", () => {
  const told = plain(facts.map(({ text }) => text).join("\n"));
  const forgotten = sentencesIn(document).filter((text) => !told.includes(plain(text)));
  expect(forgotten).toEqual([]);
});

/** Every text of several words below a value. Examples count as a whole; sources are for those who write the document. */
function sentencesIn(value: unknown): string[] {
  if (typeof value === "string") return / /.test(value) ? value.split("\n\n").filter(Boolean) : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) =>
    ["value", "source", "x-generated"].includes(key) ? [] : sentencesIn(child),
  );
}

test("every sample stands on the page of its operation, under the name of its language", async () => {
  const titles = { "curl.sh": "curl", "client.ts": "TypeScript client", "openapi-fetch.ts": "openapi-fetch" };
  const named: Record<string, string> = { ...titles, "python.py": "Python" };
  const samples = await readSamples();
  const given = samples.map(({ operation, file, code }): Fact => {
    const trail = ["Samples", "", String(named[file])];
    return { ...operationSpot(operation.id), trail, kind: "sample", part: "code", text: code };
  });
  expect(lostFacts(given, places)).toEqual([]);
});

test.each<[string, Partial<Fact>]>([
  ["a text that is not there", { text: "Sends one massage" }],
  ["a text of another place", { trail: ["Body"], text: "Send a message" }],
  ["a place that is not there", { trail: ["Bodice"], text: "Send a message" }],
  ["a part of a word", { text: "end a message" }],
  ["a place that must not be there", { text: "", absent: true }],
  ["a text that must not be there", { text: "Send a message", absent: true }],
])("what is lost is noticed: %s", (_, change) => {
  const fact: Fact = { ...operationSpot("sendEmail"), kind: "summary", part: "text", text: "Send a message" };
  expect(lostFacts([fact], places)).toEqual([]);
  expect(lostFacts([{ ...fact, ...change }], places)).toHaveLength(1);
});
