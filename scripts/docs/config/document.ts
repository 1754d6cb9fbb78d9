import { isDeepStrictEqual } from "node:util";
import { displayPath, readText, readTextFile } from "../../../lib/files.ts";
import { attempted, isObject, jsonOf } from "../../../lib/objects.ts";
import { assertNoProblems, describePath, type Problem, schemaProblems } from "../../../lib/schema-errors.ts";
import { usageError } from "../../../lib/user-error.ts";
import { parseYaml } from "../../../lib/yaml-source.ts";
import tablesSchema from "../../../openapi/tables.schema.json" with { type: "json" };
import demo from "../../../sandbox/seed/demo.json" with { type: "json" };
import { valueAt } from "../../document/json-pointer.ts";
import { operationsOf } from "../../document/operations.ts";
import { readBundle } from "../../document/read-bundle.ts";
import { dereference, unresolvedIn } from "../../document/references.ts";
import { baseUrlOf } from "../../document/requests.ts";
import type { MediaType, OpenApiDocument, Operation, ResponseObject } from "../../document/types.ts";
import { removeMarkup } from "../text/foreign.ts";
import documentSchema from "./document.schema.json" with { type: "json" };
import overlaySchema from "./overlay.schema.json" with { type: "json" };
import { usedComponents, withoutRest } from "./removed-operations.ts";
import type { SiteConfig } from "./site-config.ts";

/**
 * The document that a site describes: the bundle, or that of an earlier version, with the changes of the publisher.
 * @throws UserError for an invalid overlay, or a document of an earlier version that has no site
 */
export async function publishedDocument(config: SiteConfig): Promise<OpenApiDocument> {
  const { version, versions, overlay, title, contact, baseUrl, simulatorDomain } = config;
  const earlier = versions.find(({ name }) => name === version);
  let document = earlier === undefined ? await readBundle() : await earlierDocument(earlier);
  const exampleContact = document.info.contact;
  // An overlay belongs to the current document: an earlier one may lack its targets.
  if (overlay !== undefined && earlier === undefined) {
    const used = usedComponents(document);
    document = (await applyOverlay(document, overlay)).states.at(-1) ?? document;
    removeMarkup(document);
    completeOperations(document);
    document = withoutRest(document, used);
  }
  if (title !== undefined) document.info.title = title;
  if (contact !== undefined) document.info.contact = contact;
  else if (isDeepStrictEqual(document.info.contact, exampleContact)) delete document.info.contact;
  if (baseUrl !== undefined) setBaseUrl(document, baseUrl);
  return withPlaceholders(document, simulatorDomain);
}

async function earlierDocument({ name, document: file }: SiteConfig["versions"][number]) {
  const found = jsonOf(await readText(file));
  const document = found as OpenApiDocument;
  const missing = isObject(found) ? missingParts(document) : [];
  if (isObject(found) && missing.length === 0) return document;
  const reason = isObject(found) ? `it has no ${missing.join(", ")}` : "it is not a JSON object";
  throw usageError(
    `${file} cannot be published as version ${name}: ${reason}`,
    "Give a bundled document of this contract, such as openapi.json of an earlier package.",
  );
}

function setBaseUrl({ servers }: OpenApiDocument, baseUrl: string): void {
  const variable = servers[0]?.variables?.base_url;
  if (variable !== undefined) variable.default = baseUrl;
  else if (servers[0] !== undefined) servers[0].url = baseUrl;
}

/** Nobody can copy a placeholder: texts, examples and the simulated recipients get the values of the publisher, or examples. */
function withPlaceholders(document: OpenApiDocument, domain = demo.simulatorDomain): OpenApiDocument {
  const { info, "x-simulator": simulator } = document;
  info.description &&= info.description.replaceAll("{base_url}", baseUrlOf(document));
  simulator.domain = simulator.domain.replace("{simulator_domain}", domain);
  return JSON.parse(JSON.stringify(document).replaceAll(`@${demo.simulatorDomain}`, `@${domain}`));
}

/**
 * Completes the operations that an overlay added: each has the security of the document unless it states its own, every
 * body is written out and has a schema and named examples, and the document lists the tags that operations have, so that the sidebar has a section for each of them.
 */
function completeOperations(document: OpenApiDocument): void {
  const { security = [] } = document as { security?: Operation["security"] };
  for (const { operation } of operationsOf(document)) {
    operation.security ??= security;
    // The contract writes its bodies out, so no page follows a reference here.
    const body = operation.requestBody;
    if (body !== undefined) operation.requestBody = dereference<typeof body>(document, body);
    for (const media of bodiesOf(document, operation)) {
      media.schema ??= {};
      media.examples ??= media.example === undefined ? {} : { example: { value: media.example } };
      delete media.example;
    }
    for (const name of operation.tags)
      if (!document.tags.some((tag) => tag.name === name)) document.tags.push({ name });
  }
  const left = operationsOf(document);
  for (const path of Object.keys(document.paths))
    if (left.every((one) => one.path !== path)) delete document.paths[path];
  const used = new Set(left.flatMap(({ operation }) => operation.tags));
  document.tags = document.tags.filter(({ name }) => used.has(name));
}

const bodiesOf = (
  document: OpenApiDocument,
  { requestBody, responses }: Operation,
): (Partial<MediaType> & { example?: unknown })[] =>
  [
    requestBody,
    ...Object.values(responses).map((response) => dereference<ResponseObject>(document, response)),
  ].flatMap((owner) => Object.values(owner?.content ?? {}));

interface Action {
  target: string;
  update?: unknown;
  remove?: boolean;
}

const hint = "See the OpenAPI Overlay Specification 1.0 and the guide docs/publishing.md.";

/**
 * Applies an OpenAPI Overlay 1.0 to a copy of the document.
 * @param file a YAML or JSON file, absolute
 * @returns the document after each action, and the overlay
 * @throws UserError with exit code 2 that names each invalid action, or the first one that changes nothing
 */
async function applyOverlay(document: OpenApiDocument, file: string) {
  const source = parseYaml(readTextFile(file, { maxMegabytes: 4, hint }), displayPath(file), { hint });
  const reject = (problems: readonly Problem[]): void =>
    assertNoProblems(problems, { subject: `the overlay ${source.name}`, hint, source });
  reject(schemaProblems(overlaySchema, source.value));
  const states: OpenApiDocument[] = [];
  const left: string[][] = [];
  for (const [index, action] of (source.value as { actions: Action[] }).actions.entries()) {
    const result = await applied(structuredClone(states.at(-1) ?? document), action);
    if (typeof result === "string")
      reject([{ path: ["actions", index], message: `${result} (target ${action.target})` }]);
    else {
      states.push(result);
      left.push(documentProblems(result));
    }
  }
  // A later action may complete what an earlier one leaves: only what remains is a problem, of the action that caused it.
  reject(
    (left.at(-1) ?? []).map((message) => ({
      path: ["actions", left.findIndex((found) => found.includes(message))],
      message,
    })),
  );
  return { states, source };
}

/** The document after an action, or the reason why it changes nothing. */
async function applied(document: OpenApiDocument, action: Action): Promise<OpenApiDocument | string> {
  const { target, update, remove } = action;
  if (remove !== true && update === undefined) return "must have update or remove";
  const { paths } = await import("jsonpathly");
  const targets = attempted(() => paths(document, target));
  if (targets === undefined) return "has an invalid JSONPath";
  if (targets.length === 0) return "selects nothing in the document";
  if (remove === true && target === "$") return "must not remove the whole document";
  // The last entry of a list is removed first: the library does not expect that removing one moves the others.
  const actions =
    remove === true ? targets.reverse().map((path) => ({ target: path, remove })) : [{ target, update }];
  // A package need not have the libraries for overlays if none is applied.
  const { openapiOverlay } = await import("openapi-format");
  // Without a version, the library appends to lists as both 1.0 and 1.1 say; with "1.0.0" it does not.
  const { data, resultData } = await openapiOverlay(document as never, { overlaySet: { actions } } as never);
  return (resultData as { unusedActions: unknown[] }).unusedActions.length === 0
    ? (data as unknown as OpenApiDocument)
    : "has an update of another type than its target";
}

/**
 * Where an overlay changes a document.
 * @param file of the overlay, absolute
 * @returns the file, and for a path into the changed document the position of the last action that changed the nearest place
 */
export async function overlayPlaces(document: OpenApiDocument, file: string) {
  const { states, source } = await applyOverlay(document, file);
  return {
    file: source.name,
    positionOf(path: readonly string[]) {
      const depths = states.map((state, index) => changedDepth(states[index - 1] ?? document, state, path));
      return source.positionOf(["actions", depths.lastIndexOf(Math.max(...depths))]);
    },
  };
}

/** The index in the path of the deepest value that differs; -1 if none does. */
const changedDepth = (before: OpenApiDocument, after: OpenApiDocument, path: readonly string[]): number =>
  path.findLastIndex((_, index) => {
    const [old, changed] = [before, after].map((one) => valueAt(one, path.slice(0, index + 1)));
    return !isDeepStrictEqual(old, changed);
  });

/** What the page of an operation shows at least. */
const required = ["operationId", "summary", "description", "tags", "responses"] as const;

/** The parts that a document lacks for a site: without one of them there is no page. */
const missingParts = (document: OpenApiDocument): string[] =>
  [...Object.keys(documentSchema.properties), ...tablesSchema.$defs.Tables.required].filter(
    (key) => document[key as keyof OpenApiDocument] === undefined,
  );

/** Why a document that an overlay changed cannot be published; to be read after the name of an action. */
function documentProblems(document: OpenApiDocument): string[] {
  const missing = missingParts(document);
  if (missing.length > 0) return missing.map((key) => `must not remove ${key} from the document`);
  const invalid = [documentSchema, tablesSchema].flatMap((schema) => schemaProblems(schema, document));
  if (invalid.length > 0)
    return invalid.map(
      ({ path, message }) => `leaves the document invalid: ${describePath(path)} ${message}`,
    );
  // Operations are listed once per document: this one may change further.
  const operations = operationsOf(structuredClone(document));
  const incomplete = operations.flatMap(({ operation, method, path }) => {
    const keys = required.filter((key) => operation[key] === undefined);
    return keys.length === 0 ? [] : [`leaves ${method.toUpperCase()} ${path} without ${keys.join(", ")}`];
  });
  const repeated = [...Map.groupBy(operations, ({ id }) => id)].flatMap(([id, [one, other]]) =>
    other === undefined
      ? []
      : [`gives two operations the operationId ${id} (${one?.path ?? ""} and ${other.path})`],
  );
  // The texts of a document are listed once: this one may change further.
  const unresolved = unresolvedIn({ ...document }).map(
    ({ path, text }) => `leaves the unresolved $ref ${text} (${path.slice(0, -1).join(" > ")})`,
  );
  return [...incomplete, ...repeated, ...unresolved];
}
