import {
  BaseResolver,
  bundle,
  createConfig,
  type Document,
  getLineColLocation,
  type NormalizedProblem,
  parseYaml,
  ResolveError,
  Source,
  YamlParseError,
} from "@redocly/openapi-core";
import { readText } from "../../lib/files.ts";
import { firstLine } from "../../lib/text.ts";
import { UserError } from "../../lib/user-error.ts";
import { displayPath } from "../common/paths.ts";
import { valueAtPointer } from "../document/json-pointer.ts";
import { deepest, isNode, isTooDeep, type Node, nodeOf, textOf } from "../document/values.ts";

const tableOrValue = (value: unknown): string | undefined =>
  typeof value === "object" && value !== null ? "Table" : undefined;

/**
 * Node types for Redocly: gateway responses are responses, of which it makes components, and every other `x-` key of the
 * root is a table, at any depth of which a `$ref` is followed.
 */
const contractTypes = {
  id: "contract",
  typeExtension: {
    oas3: (types: Record<string, { properties: object }>) => ({
      ...types,
      Table: { properties: {}, additionalProperties: tableOrValue, items: tableOrValue },
      Root: {
        properties: { ...types.Root?.properties, "x-gateway-responses": "Responses" },
        additionalProperties: "Table",
      },
    }),
  },
};

export interface MergeOptions {
  /** Whether `$ref`s to other hosts are followed. */
  allowRemote?: boolean;
  /** What two files with the same name are; `off` renames one of the components. */
  conflicts?: "error" | "off";
  /** Reads a file; default: from the disk. */
  read?: typeof readText | undefined;
}

/** How long the files of other hosts may take together, in milliseconds. */
const remoteTimeout = 15_000;

/** Reads the files that `$ref`s lead to. */
class FileResolver extends BaseResolver {
  readonly #signal: AbortSignal | undefined;
  readonly #read: typeof readText;

  constructor(allowRemote: boolean, read: typeof readText) {
    super();
    this.#read = read;
    this.#signal = allowRemote ? AbortSignal.timeout(remoteTimeout) : undefined;
  }

  override resolveExternalRef(base: string | null, reference: string): string {
    if (!isUrl(reference)) return super.resolveExternalRef(base, reference);
    return reference.replace(/^\w+/, (scheme) => scheme.toLowerCase());
  }

  override async loadExternalRef(reference: string): Promise<Source> {
    try {
      if (!isUrl(reference))
        return new Source(reference, (await this.#read(reference)).replaceAll("\r\n", "\n"));
      if (!/^https?:/.test(reference)) throw new Error("only URLs of http: and https are read");
      if (this.#signal === undefined)
        throw new Error("files of other hosts are read with --allow-remote only");
      const response = await fetch(reference, { signal: this.#signal });
      if (!response.ok) throw new Error(`the response has the status ${response.status}`);
      return new Source(reference, await response.text(), response.headers.get("content-type") ?? undefined);
    } catch (cause) {
      const { code, cause: inner } = cause as NodeJS.ErrnoException;
      const missing = code === "ENOENT" ? `there is no file ${displayPath(reference)}` : undefined;
      // The reason why `fetch` failed is its cause.
      throw new ResolveError(new Error(missing ?? firstLine(inner ?? cause)));
    }
  }

  override parseDocument(source: Source, isRoot?: boolean): Document {
    const document = super.parseDocument(source, isRoot);
    const isDeep = isTooDeep(document.parsed);
    if (!isDeep && sizeOf(document.parsed) < 2_000_000) return document;
    const problem = isDeep ? `more than ${deepest} levels` : "its aliases repeat too much";
    throw new YamlParseError(new Error(`${problem} in "${source.absoluteRef}" (1:1)`), source);
  }
}

/** Whether a `$ref` is a URL; a letter alone is a drive. */
const isUrl = (reference: string): boolean => /^[a-z][a-z\d+.-]+:/i.test(reference);

/** How many objects and lists a value has; one that aliases repeat counts each time. The largest documents have less than a million. */
function sizeOf(value: unknown, known = new Map<unknown, number>()): number {
  if (typeof value !== "object" || value === null) return 0;
  const size = known.get(value) ?? Object.values(value).reduce((sum, one) => sum + sizeOf(one, known), 1);
  known.set(value, size);
  return size;
}

/**
 * The split document as one value, merged by Redocly: files of schemas, responses, parameters, headers and examples are
 * components, other files replace their `$ref`.
 * @param source the root file, absolute
 * @returns the document, and the files that it consists of
 * @throws UserError with file, line and column for invalid YAML and an unresolved `$ref`
 */
export async function mergeFiles(
  source: string,
  { allowRemote = false, conflicts = "error", read = readText }: MergeOptions = {},
): Promise<{ document: Node; files: string[] }> {
  await read(source).catch(() => {
    throw new UserError(`there is no document ${displayPath(source)}`, { hint: "Restore the root file." });
  });
  // A configuration of its own, so that no configuration file nearby has an effect.
  const config = await createConfig({ plugins: [contractTypes] });
  const externalRefResolver = new FileResolver(allowRemote, read);
  const options = { ref: source, config, componentRenamingConflicts: conflicts, externalRefResolver };
  const found = await bundle(options).catch((error: unknown) => {
    throw bundleError([error], source);
  });
  if (found.problems.length > 0) throw bundleError(found.problems, source);
  const { parsed } = found.bundle;
  if (!isNode(parsed)) throw new UserError(`${displayPath(source)} is not an OpenAPI document`);
  // Redocly shares the nodes of its cache between the places that refer to them.
  return { document: structuredClone(parsed), files: [...found.fileDependencies] };
}

/** What to do about a problem in a source file. */
const hint = "Fix that line and run the command again. Nothing was written.";

/** What the message of a file that is not YAML has before the reason. */
const invalid = ": invalid YAML: ";

/** The first of Redocly's problems (or its exception) as an error, with the number of others. */
function bundleError(found: readonly unknown[], root: string): unknown {
  const texts = found.map((one) =>
    one instanceof Error ? ofException(one, root) : ofReport(one as NormalizedProblem),
  );
  if (texts.includes(undefined)) return found[0];
  // A file that is not YAML is also an unresolved `$ref` everywhere else.
  const causes = texts.filter((text) => text?.includes(invalid));
  const [first, ...others] = new Set(causes.length > 0 ? causes : texts);
  return new UserError(`${first}${others.length === 0 ? "" : ` (and ${others.length} more)`}`, { hint });
}

/** An exception for the root file; undefined if it is not about the file. */
function ofException(error: Error, root: string): string | undefined {
  if (/circular pointer/.test(error.message))
    return `${displayPath(root)}: there is a cycle of $refs in its files`;
  if (!(error instanceof YamlParseError)) return undefined;
  const { source, line, col } = error;
  return invalidYaml(`${displayPath(source.absoluteRef)}:${line}:${col}`, error.message);
}

function ofReport({ message, location: [location] }: NormalizedProblem): string {
  if (location === undefined) return message;
  const { source } = location;
  const { line, col } = getLineColLocation(location).start;
  const place = `${displayPath(source.absoluteRef)}:${line}:${col}`;
  const [, failure] = /^Failed to parse: (.*)$/s.exec(message) ?? [];
  if (failure !== undefined) return invalidYaml(place, failure);
  if (!message.startsWith("Can't resolve $ref")) return `${place}: ${message}`;
  const owner = nodeOf(valueAtPointer(parseYaml(source.body), location.pointer ?? ""));
  const [, reason = "it does not exist"] = /^Can't resolve \$ref(?:: (.*))?$/.exec(message) ?? [];
  return `${place}: cannot resolve "${textOf(owner.$ref)}": ${reason}`;
}

/** Without the file and the position at the end of the parser's message. */
const invalidYaml = (place: string, reason: string): string =>
  `${place}${invalid}${reason.replace(/ in "[^"]*" \(\d+:\d+\)$/, "")}`;
