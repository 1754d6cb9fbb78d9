import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, expect, test } from "vitest";
import { readTrace } from "../../../scripts/docs/pages/requirements.ts";
import { languages } from "../../../scripts/docs/samples/languages.ts";
import { sampleRequests } from "../../../scripts/docs/samples/samples.ts";
import { valueAtPointer } from "../../../scripts/document/json-pointer.ts";
import { operationsOf } from "../../../scripts/document/operations.ts";
import { readBundle } from "../../../scripts/document/read-bundle.ts";
import { baseUrlOf } from "../../../scripts/document/requests.ts";
import type { OpenApiDocument } from "../../../scripts/document/types.ts";
import type { TraceRow } from "../../../scripts/trace/table.ts";
import { openBrowser } from "../../sandbox/pages/browser.ts";
import {
  below,
  type Fact,
  Facts,
  inWords,
  kebab,
  operationLocation,
  type Part,
  plain,
  wholeWords,
} from "./facts/fact.ts";
import { operationFacts } from "./facts/operation.ts";
import { type FactContext, schemaFacts, valueFacts } from "./facts/schema.ts";
import { makingRequestsFacts, requirementFacts, tableFacts } from "./facts/tables.ts";
import { paths, urlOf } from "./visit.ts";

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

/** The content of a section of a page, without its subsections. */
interface Section extends Record<Exclude<Part, "code">, string> {
  /** Headings, then names of fields, variants or examples. A table row is named by its first cell: `| sendEmail`. */
  section: string[];
  code: string[];
}

/** The sections of every page, by its path. */
type Sections = ReadonlyMap<string, readonly Section[]>;

/** Reads every page without running its scripts. */
async function readSections(): Promise<Sections> {
  const readPage = await readFile(join(import.meta.dirname, "read-page.js"), "utf8");
  const browser = await openBrowser();
  try {
    const page = await browser.newPage({ javaScriptEnabled: false });
    const pages: [string, Section[]][] = [];
    for (const path of paths) {
      await page.goto(urlOf(path), { waitUntil: "domcontentloaded" });
      pages.push([path, (await page.evaluate<Section[]>(readPage)).map(normalized)]);
    }
    return new Map(pages);
  } finally {
    await browser.close();
  }
}

const normalized = (one: Section): Section => ({
  section: one.section.map(plain),
  text: plain(one.text),
  type: plain(one.type),
  small: plain(one.small),
  drawn: plain(one.drawn),
  links: one.links,
  code: one.code,
});

/** The facts that are not in their sections. */
function missingFacts(facts: readonly Fact[], sections: Sections): Fact[] {
  const byKey = new Map(
    [...sections].flatMap(([page, found]) => [...Map.groupBy(found, ({ section }) => key(page, section))]),
  );
  return facts.filter((fact) => {
    const found = byKey.get(key(fact.page, fact.section.map(plain))) ?? [];
    if (fact.text === "") return found.length > 0;
    const isShown = found.some((section) => contains(section, fact));
    return found.length === 0 || isShown === (fact.absent === true);
  });
}

const key = (page: string, section: readonly string[]): string => JSON.stringify([page, ...section]);

function contains(section: Section, { part, text }: Fact): boolean {
  if (part === "code") return section.code.some((code) => withoutTabs(code) === withoutTabs(text));
  return wholeWords(plain(text)).test(section[part]);
}

/** Pages show a tab as two spaces. */
const withoutTabs = (code: string): string => code.trim().replaceAll("\t", "  ");

/** Every fact of the document and where the site must show it, independent of how the pages are generated. */
function factsOf(document: OpenApiDocument, requirements: TraceRow[]): Fact[] {
  const facts = new Facts();
  for (const placed of operationsOf(document)) operationFacts({ document, facts }, placed);
  componentFacts({ document, facts });
  makingRequestsFacts({ document, facts });
  tableFacts(document, facts);
  requirementFacts(requirements, facts);
  return facts.all;
}

/** Objects have their own pages; other schemas share one. */
function componentFacts(context: FactContext): void {
  const { document, facts } = context;
  for (const [name, schema] of Object.entries(document.components.schemas ?? {})) {
    if (schema.title === undefined) {
      valueFacts(context, { page: "objects/values", section: [name] }, schema);
      continue;
    }
    const location = { page: `objects/${kebab(name)}`, section: [] };
    for (const text of [inWords(name), name, schema.description]) facts.add(location, "schema", text);
    for (const { id, operation } of operationsOf(document))
      if (schemasIn(document, operation).has(name)) facts.add(location, "user", id);
    schemaFacts(context, { ...location, section: ["Fields"] }, { $ref: `#/components/schemas/${name}` });
  }
}

/** The names of the schemas that a part of the document refers to, directly or through others. */
function schemasIn(document: OpenApiDocument, part: unknown): Set<string> {
  const pointers = new Set<string>(JSON.stringify(part).match(/#\/components\/[\w/]+/g));
  for (const pointer of pointers)
    for (const further of JSON.stringify(valueAtPointer(document, pointer)).match(/#\/components\/[\w/]+/g) ??
      [])
      pointers.add(further);
  return new Set([...pointers].map((pointer) => pointer.replace("#/components/schemas/", "")));
}
