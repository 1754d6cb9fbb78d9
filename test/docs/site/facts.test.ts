import { beforeAll, expect, test } from "vitest";
import { limits } from "../../../generated/limits.ts";
import type { ErrorRow, Marks } from "../../../generated/schema-types.ts";
import { publishedDocument } from "../../../scripts/docs/config/document.ts";
import { siteConfig } from "../../../scripts/docs/config/site-config.ts";
import { errorPath, inWords, operationPath, schemaPath } from "../../../scripts/docs/page.ts";
import { readTrace } from "../../../scripts/docs/pages/requirements.ts";
import { languages } from "../../../scripts/docs/samples/languages.ts";
import { sampleRequests } from "../../../scripts/docs/samples/samples.ts";
import { operationsOf, type PlacedOperation } from "../../../scripts/document/operations.ts";
import { dereference, referencesIn } from "../../../scripts/document/references.ts";
import { baseUrlOf } from "../../../scripts/document/requests.ts";
import { headerNames } from "../../../scripts/document/responses.ts";
import { variantOf, withTypeList } from "../../../scripts/document/schema-forms.ts";
import type {
  Example,
  Header,
  MediaType,
  OpenApiDocument,
  Parameter,
  ResponseObject,
  Schema,
} from "../../../scripts/document/types.ts";
import { isNode } from "../../../scripts/document/values.ts";
import type { TraceRow } from "../../../scripts/trace/trace.ts";
import { type Content, plain, readContents } from "./contents.ts";

/** Something that the document says. One of the pages must show it. */
interface Fact {
  pages: readonly string[];
  text: string;
  /** Where on the page; default: anywhere in its text. */
  at?: "code" | "links";
  /** The entry that must have the text, with its mark. */
  field?: Pick<Content["fields"][number], "name" | "presence">;
}

let contents: ReadonlyMap<string, Content>;
let document: OpenApiDocument;
let facts: Fact[];
beforeAll(async () => {
  contents = await readContents();
  document = await publishedDocument(siteConfig());
  facts = factsOf(document, await readTrace());
}, 240_000);

test("every fact of the document is on its page, also without scripts", () => {
  expect(missing(facts)).toEqual([]);
  console.log(`${facts.length} facts checked on ${contents.size} pages`);
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

test("every sample is on the page of its operation", () => {
  const samples = sampleRequests(document).flatMap((request) =>
    languages.map(({ write }): Fact => {
      const text = write(request, baseUrlOf(document)) ?? "";
      return { pages: [operationPath(request.operationId)], at: "code", text };
    }),
  );
  expect(samples).toHaveLength(operationsOf(document).length * languages.length);
  expect(missing(samples)).toEqual([]);
});

const field = { name: "subject", presence: "required" } as const;

test.each<[string, Partial<Fact>]>([
  ["an unknown text", { text: "No such text" }],
  ["a text of another page", { pages: ["operations/get-me"] }],
  ["a part of a word", { text: "t most 998 characters" }],
  ["a text of another field", { field: { ...field, name: "html" } }],
  ["an unknown field", { field: { ...field, name: "subjective" } }],
  ["a field with another mark", { field: { ...field, presence: "optional" } }],
  ["a field without a mark", { field: { ...field, presence: "" } }],
  ["a text that is not a code block", { at: "code" }],
])("a missing fact is found: %s", (_, change) => {
  const fact: Fact = { pages: [operationPath("sendEmail")], text: "at most 998 characters", field };
  expect(missing([fact])).toEqual([]);
  expect(missing([{ ...fact, ...change }])).toHaveLength(1);
});

const missing = (all: readonly Fact[]): Fact[] =>
  all.filter(({ pages, ...fact }) => !pages.some((page) => shows(contents.get(page), fact)));

function shows(content: Content | undefined, { text, at, field }: Omit<Fact, "pages">): boolean {
  if (content === undefined) return false;
  if (at === "code") return content.code.some((code) => withoutTabs(code) === withoutTabs(text));
  if (at === "links") return content.links.some((link) => link.endsWith(text));
  const words = wholeWords(plain(text));
  if (field === undefined) return words.test(content.text);
  return content.fields.some(
    ({ name, presence, text }) => name === field.name && presence === field.presence && words.test(text),
  );
}

/** Pages show a tab as two spaces. */
const withoutTabs = (code: string): string => code.trim().replaceAll("\t", "  ");

/** Matches the text, but not as a part of a longer word or number; ignores case. */
function wholeWords(text: string): RegExp {
  const [before, after] = [/^\w/.test(text) ? "(?<![\\w-]|\\d,)" : "", /\w$/.test(text) ? "(?![\\w-])" : ""];
  return new RegExp(`${before}${text.replaceAll(/[\\^$.*+?()[\]{}|]/g, "\\$&")}${after}`, "i");
}

/** Of most operations, the others are listed; of all, none. */
function listed(operations: readonly string[]): readonly string[] {
  const others = operationsOf(document).flatMap(({ id }) => (operations.includes(id) ? [] : [id]));
  return others.length < operations.length / 2 ? others : operations;
}

const titles = (ids: readonly string[]): string[] =>
  operationsOf(document).flatMap(({ id, operation }) => (ids.includes(id) ? [operation.summary] : []));

/** Every fact of the document and the pages that may show it, independent of how the pages are generated. */
function factsOf(document: OpenApiDocument, requirements: TraceRow[]): Fact[] {
  const { components, info, servers, tags } = document;
  const general = {
    ...info,
    description: info.description?.split("\n\n").map((text) => text.replace(/^## /, "")),
  };
  const limitErrors = Object.values(document["x-limits"]).map(({ error }) => error?.replace(".", " "));
  const tables: [string, unknown][] = [
    [
      "making-requests",
      [general, info.title, servers.map(({ url: _, ...server }) => server), tags, document["x-example-time"]],
    ],
    ["abilities", [document["x-abilities"], Object.keys(document["x-abilities"])]],
    ["abilities", Object.values(components.securitySchemes ?? {}).map((one) => [one.description, ids(one)])],
    ["errors", document["x-errors"].map((row) => ({ ...row, operations: listed(row.operations) }))],
    ["limits", [document["x-limits"], Object.keys(document["x-limits"]), Object.values(limits), limitErrors]],
    ["lifecycles", JSON.parse(JSON.stringify(document["x-lifecycles"]).replaceAll('"all"', '"any"'))],
    ["simulator", document["x-simulator"]],
    ["versioning", document["x-versioning"]],
    ["unspecified", document["x-unspecified"].map((row) => ({ ...row, operations: titles(row.operations) }))],
    ["requirements", requirements.flatMap(requirementTexts)],
    ["implementations", document["x-levels"]?.map(({ title, text, clients = "" }) => [title, text, clients])],
    ["idempotency", document["x-requirements"].idempotency?.flatMap(({ id, text }) => [id, text])],
  ];
  return [
    ...tables.flatMap(([page, table]) => textsIn(table).map((text) => ({ pages: [page], text }))),
    ...operationsOf(document).flatMap((placed) => operationFacts(placed, requirements)),
    ...Object.entries(components.schemas ?? {}).flatMap(([name, schema]) => componentFacts(name, schema)),
    // Two components may describe the same header: it is listed once.
    ...Object.entries(Object.groupBy(Object.keys(components.headers ?? {}), wireName)).flatMap(
      ([name, same = []]) => {
        const $ref = `#/components/headers/${same[0]}`;
        return valueFacts(["making-requests"], name, dereference<Header>(document, { $ref }), true);
      },
    ),
    ...Object.values(document["x-gateway-responses"] ?? {}).flatMap((response) =>
      responseFacts(["making-requests"], dereference<ResponseObject>(document, response)),
    ),
    ...Object.values(components.parameters ?? {}).flatMap((reference) => {
      const parameter = dereference<Parameter>(document, reference);
      const users = operationsOf(document).filter(({ parameters }) => parameters.includes(parameter));
      return users.length > 0 ? [] : valueFacts(["making-requests"], parameter.name, parameter);
    }),
    ...document["x-errors"].flatMap(errorFacts),
  ];
}

const wireName = (component: string): string => headerNames(document).get(component) ?? component;

/** Keys whose values the site does not show as they are: sources, pointers, and words that it explains instead. */
const unshown = new Set(
  "source schema keyword id retry topic title identifier url absent error namesFields x-error-types".split(
    " ",
  ),
);

/** The texts and numbers in a table. */
function textsIn(value: unknown, key = ""): string[] {
  if (unshown.has(key)) return [];
  if (typeof value === "number" && key !== "status") return [value.toLocaleString("en-US")];
  if (typeof value === "number" || typeof value === "string") return [String(value).replace(/^#.*\//, "")];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, child]) => textsIn(child, Array.isArray(value) ? key : name));
}

const requirementTexts = ({ id, text, checks, excluded }: TraceRow): (string | null)[] => [
  `${id} ${text}`,
  excluded,
  ...checks.map(({ title }) => title),
];

/** What the document says of an operation. Errors that all operations have are on their own page. */
function operationFacts(placed: PlacedOperation, requirements: TraceRow[]): Fact[] {
  const { id, path, method, operation, parameters } = placed;
  const pages = [operationPath(id)];
  const { summary, description, security, requestBody, responses } = operation;
  const own = requirements.filter(({ operations }) => operations.includes(id));
  const texts = textsIn([
    [id, `${method.toUpperCase()} ${baseUrlOf(document)}${path}`, summary, description, ids(operation)],
    [operation.deprecated === true ? "Deprecated." : null, requestBody?.description],
    security.flatMap((scheme) => Object.values(scheme)),
    own.flatMap(requirementTexts),
  ]);
  return [
    ...texts.map((text) => ({ pages, text })),
    ...parameters.flatMap((parameter) => {
      // The example of the idempotency key is that of the sample: each operation has its own.
      const sample = sampleRequests(document).find(({ operationId }) => operationId === id);
      const { name, example = null } = parameter;
      return valueFacts(pages, name, { ...parameter, example: sample?.headers[name] ?? example });
    }),
    ...Object.values(requestBody?.content ?? {}).flatMap((media) => bodyFacts(pages, media)),
    ...Object.entries(responses).flatMap(([status, reference]) => {
      const response = dereference<ResponseObject>(document, reference);
      if (!status.startsWith("2")) return responseFacts([...pages, "errors"], response);
      const bodies = Object.values(response.content ?? {});
      return [
        ...responseFacts(pages, response),
        ...bodies.flatMap(({ schema }) => schemaFacts(pages, schema, true)),
      ];
    }),
  ];
}

function responseFacts(pages: string[], response: ResponseObject): Fact[] {
  const { description, headers = {}, content = {}, links = {} } = response;
  const linked = Object.values(links as Record<string, { operationId: string }>).map((link) => ({
    ...link,
    operationId: operationsOf(document).find(({ id }) => id === link.operationId)?.operation.summary,
    parameters: null,
  }));
  return [
    ...textsIn([description, linked, ids(response)]).map((text) => ({ pages, text })),
    ...Object.entries(headers).flatMap(([name, header]) =>
      valueFacts(pages, name, dereference<Header>(document, header), true),
    ),
    ...Object.values(content).flatMap(({ examples }) => exampleFacts(pages, examples)),
  ];
}

const bodyFacts = (pages: string[], { schema, examples }: MediaType): Fact[] => [
  ...schemaFacts(pages, schema),
  ...exampleFacts(pages, examples),
];

const exampleFacts = (pages: string[], examples: MediaType["examples"]): Fact[] =>
  Object.entries(examples).flatMap(([name, reference]): Fact[] => {
    const { summary, description, value } = dereference<Example>(document, reference);
    const texts = textsIn([name, summary, description]);
    return [
      ...texts.map((text) => ({ pages, text })),
      { pages, at: "code", text: JSON.stringify(value, null, 2) },
    ];
  });

const retryAdvice = {
  never: "Do not retry",
  after: "Retry after the time in Retry-After",
  backoff: "Retry with backoff",
} as const;

function errorFacts(row: ErrorRow): Fact[] {
  const { status, type, when, resolution, retry, operations } = row;
  const link = { at: "links", text: errorPath(row).replace("errors", "") } as const;
  const texts = [`${when} ${resolution}`, retryAdvice[retry], `${status} ${type ?? ""}`.trim()];
  return ["errors", ...operations.map(operationPath)].flatMap((page) => [
    { pages: [page], ...link },
    ...texts.map((text) => ({ pages: [page, "errors"], text })),
  ]);
}

function componentFacts(name: string, schema: Schema): Fact[] {
  const $ref = `#/components/schemas/${name}`;
  if (schema.title === undefined) return valueFacts(["objects/values"], name, { schema: { $ref } });
  const pages = [schemaPath(name, schema)];
  const texts = [inWords(name), name].map((text) => ({ pages, text }));
  return [...texts, ...schemaFacts(pages, { $ref }, !sentReferences(document).has($ref))];
}

/** A field, a parameter or a header. */
function valueFacts(
  pages: string[],
  name: string,
  owner: { schema: Schema; required?: boolean; description?: string; example?: unknown },
  isResponse = false,
): Fact[] {
  const schema = resolved(owner.schema);
  const presence = presenceOf(name, owner.required === true, isResponse);
  const field = { name, presence };
  const { description = schema.description, example = null } = owner;
  const texts = [
    ...textsIn([description, example === null ? null : String(example), ids(owner)]),
    ...typeTexts(owner.schema),
    // In a header or a parameter, a text has no quotes.
    ...rules(schema).map((rule) => (example === null ? rule : rule.replaceAll('"', ""))),
  ];
  return [...texts.map((text) => ({ pages, text, field })), ...innerFacts(pages, schema, isResponse)];
}

/** Requests mark what is required, responses what is optional, and only what has a name of its own. */
function presenceOf(
  name: string,
  isRequired: boolean,
  isResponse: boolean,
): Content["fields"][number]["presence"] {
  if (name.startsWith("each ") || isRequired === isResponse) return "";
  return isRequired ? "required" : "optional";
}

/** The schemas that requests have. */
const sentReferences = (document: OpenApiDocument): Set<string> =>
  referencesIn(
    document,
    operationsOf(document).map(({ operation }) => operation.requestBody ?? {}),
  );

/** What is inside: fields, items, names, values and variants. */
function innerFacts(pages: string[], schema: Schema, isResponse: boolean): Fact[] {
  const decisive = schema["x-variant-by-request"];
  if (decisive !== undefined)
    return [false, true].flatMap((hasProperty) =>
      innerFacts(pages, variantOf(schema, hasProperty), isResponse),
    );
  const { properties = {}, required = [], items, propertyNames, additionalProperties } = schema;
  const named = Object.entries(properties).flatMap(([name, inner]) =>
    valueFacts(pages, name, { schema: inner, required: required.includes(name) }, isResponse),
  );
  const parts = { "each item": items, "each name": propertyNames, "each value": additionalProperties };
  const unnamed = Object.entries(parts).flatMap(([name, inner]) =>
    isNode(inner) && Object.keys(inner).length > 0
      ? valueFacts(pages, name, { schema: inner as Schema }, isResponse)
      : [],
  );
  const variants = [...(schema.oneOf ?? []), ...(schema.anyOf ?? [])].filter(({ type }) => type !== "null");
  return [...named, ...unnamed, ...variants.flatMap((variant) => schemaFacts(pages, variant, isResponse))];
}

/** A schema that is no field: its texts may be anywhere on the page. */
function schemaFacts(pages: string[], given: Schema, isResponse = false): Fact[] {
  const schema = resolved(given);
  const texts = [...textsIn(schema.description), ...rules(schema)];
  return [...texts.map((text) => ({ pages, text })), ...innerFacts(pages, schema, isResponse)];
}

const ids = (part: object): unknown[] => {
  const { "x-encodes": encoded, "x-leaves-unspecified": unspecified } = part as Marks;
  return [encoded, unspecified];
};

/** A schema with its `$ref` resolved. Keywords beside the `$ref` win; the ids of both are kept. */
function resolved(given: Schema): Schema {
  const { $ref, ...siblings } = given;
  const target = $ref === undefined ? {} : dereference<Schema>(document, { $ref });
  const merged = ["x-encodes", "x-leaves-unspecified"].map((key) => [
    key,
    [target, siblings].flatMap((part) => (part as Record<string, string[]>)[key] ?? []),
  ]);
  return withTypeList({ ...target, ...siblings, ...Object.fromEntries(merged) });
}

function typeTexts(given: Schema): string[] {
  const schema = resolved(given);
  const isNullable = schema.anyOf?.some(({ type }) => type === "null") === true;
  if (given.$ref !== undefined && schema.title !== undefined && !isNullable) return [inWords(schema.title)];
  const variants = (schema.anyOf ?? schema.oneOf ?? []).flatMap(typeTexts);
  const types = [schema.type ?? []].flat().map((type) => (type === "array" ? "array of" : type));
  const format = /^int/.test(String(schema.format)) ? [] : textsIn(schema.format);
  const offset = { zero: ["in UTC"], any: ["with a UTC offset"], none: [] }[schema["x-utc-offset"] ?? "none"];
  return [...variants, ...types, ...format, ...offset];
}

const range = (least: unknown, most: unknown): string[] => {
  const [from, to] = [least, most].map((value) => Number(value).toLocaleString("en-US"));
  if (most === undefined) return least === undefined ? [] : [`at least ${from}`];
  if (least === undefined) return [`at most ${to}`];
  return [least === most ? `exactly ${to}` : `${from} to ${to}`];
};

const list = new Intl.ListFormat("en-GB", { type: "disjunction" });
const json = (values: unknown[]): string => list.format(values.map((value) => JSON.stringify(value)));

/** A technical limit is in the small print, apart from the other bound. */
const bounds = (least: unknown, most: unknown, isTechnical: boolean): string[] =>
  isTechnical ? [...range(least, undefined), ...range(undefined, most)] : range(least, most);

/** What a schema requires of a value, and its ids. */
function rules(schema: Schema): string[] {
  const sizes = ["Length", "Items", "Properties"].flatMap((size) =>
    bounds(schema[`min${size}`], schema[`max${size}`], schema["x-technical-limit"] === true),
  );
  const { pattern, enum: closed, "x-extensible-enum": open, not } = schema;
  // The description explains each value.
  const isListed = schema.description?.includes("\n- `") === true;
  return [
    ...sizes,
    ...bounds(schema.minimum, schema.maximum, schema["x-technical-limit"] === "minimum"),
    ...textsIn([pattern, ids(schema)]),
    ...(schema.const === undefined ? [] : [`always ${json([schema.const])}`]),
    ...(schema.default === undefined ? [] : [`default: ${json([schema.default])}`]),
    ...(closed === undefined
      ? []
      : isListed
        ? (closed as string[])
        : [`${(closed as unknown[]).length === 1 ? "always" : "one of"} ${json(closed as unknown[])}`]),
    ...(open === undefined ? [] : [`known values: ${json(open)}`]),
    ...(isNode(not) && not.pattern !== undefined ? [`must not match ${not.pattern}`] : []),
  ];
}
