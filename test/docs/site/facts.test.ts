import { beforeAll, expect, test } from "vitest";
import { readTrace } from "../../../scripts/docs/pages/requirements.ts";
import { languages } from "../../../scripts/docs/samples/languages.ts";
import { sampleRequests } from "../../../scripts/docs/samples/samples.ts";
import { operationsOf } from "../../../scripts/document/operations.ts";
import { readBundle } from "../../../scripts/document/read-bundle.ts";
import { baseUrlOf } from "../../../scripts/document/requests.ts";
import type { OpenApiDocument } from "../../../scripts/document/types.ts";
import { below, type Fact, operationLocation } from "./facts/fact.ts";
import { factsOf } from "./facts/facts.ts";
import { plain } from "./facts/text.ts";
import { missingFacts, readSections, type Sections } from "./sections.ts";

let sections: Sections;
let document: OpenApiDocument;
let facts: Fact[];
beforeAll(async () => {
  sections = await readSections();
  document = await readBundle();
  facts = factsOf(document, await readTrace());
}, 240_000);

test("every fact of the document is in its section, also without scripts", () => {
  expect(missingFacts(facts, sections)).toEqual([]);
  const kinds = new Set(facts.map(({ kind }) => kind));
  console.log(`${facts.length} facts of ${kinds.size} kinds checked on ${sections.size} pages`);
});

test("every sentence of the document is one of the facts", () => {
  const all = plain(facts.map(({ text }) => text).join("\n"));
  expect(sentencesIn(document).filter((text) => !all.includes(plain(text)))).toEqual([]);
});

/** Every text of several words, without headings. Examples count as a whole; sources are for the authors of the document. */
function sentencesIn(value: unknown): string[] {
  if (typeof value === "string")
    return / /.test(value) ? value.split("\n\n").filter((text) => !/^(#.*)?$/.test(text)) : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, child]) =>
    ["value", "source", "x-generated"].includes(key) ? [] : sentencesIn(child),
  );
}

test("every sample is on the page of its operation, below the name of its language", () => {
  const samples = sampleRequests(document).flatMap((request) =>
    languages.map(({ title, write }): Fact => {
      const section = ["Request", title];
      const text = write(request, baseUrlOf(document)) ?? "";
      return { ...operationLocation(request.operationId), section, kind: "sample", part: "code", text };
    }),
  );
  expect(samples).toHaveLength(operationsOf(document).length * languages.length);
  expect(missingFacts(samples, sections)).toEqual([]);
});

test.each<[string, Partial<Fact>]>([
  ["an unknown text", { text: "No such text" }],
  ["a text of another section", { section: ["Body"] }],
  ["an unknown section", { section: ["Bodice"] }],
  ["a part of a word", { text: "endEmail" }],
  ["a section that must not exist", { text: "", absent: true }],
  ["a text that must not be there", { absent: true }],
])("a missing fact is found: %s", (_, change) => {
  const fact: Fact = {
    ...below(operationLocation("sendEmail"), "Operation id"),
    kind: "operationId",
    part: "text",
    text: "sendEmail",
  };
  expect(missingFacts([fact], sections)).toEqual([]);
  expect(missingFacts([{ ...fact, ...change }], sections)).toHaveLength(1);
});
