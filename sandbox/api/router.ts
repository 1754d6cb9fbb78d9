import {
  methodsByPath,
  type OperationId,
  type OperationRow,
  operations,
} from "../../generated/operations.ts";

/** An address of the API with what it takes. */
export interface Address {
  /** The operations by method. */
  readonly operations: ReadonlyMap<string, OperationRow & { readonly id: OperationId }>;
  /** The methods, as the `Allow` header lists them. */
  readonly allow: string;
}

/** An address that was found, and what stands in its open places. */
export interface Match {
  readonly address: Address;
  readonly parameters: Readonly<Record<string, string>>;
}

interface Pattern {
  readonly address: Address;
  /** The segments between the slashes: a text that must stand there, or the name of a parameter. */
  readonly segments: readonly ({ text: string } | { name: string })[];
}

const nothing: Readonly<Record<string, string>> = Object.freeze({});

const fixed = new Map<string, Match>();
const open: Pattern[] = [];
for (const [path, methods] of Object.entries(methodsByPath)) {
  const rows = Object.values(operations).filter((operation) => operation.path === path);
  const address = { operations: new Map(rows.map((row) => [row.method, row])), allow: methods.join(", ") };
  if (path.includes("{")) open.push({ address, segments: path.split("/").map(segmentOf) });
  else fixed.set(path, { address, parameters: nothing });
}

function segmentOf(text: string): { text: string } | { name: string } {
  return text.startsWith("{") ? { name: text.slice(1, -1) } : { text };
}

/**
 * Finds the address of a path. A path is compared as it was sent, only what fills the open places is decoded, once: so `..`, doubled
 * slashes and doubly encoded letters lead nowhere else than they say.
 */
export function findAddress(path: string): Match | undefined {
  const known = fixed.get(path);
  if (known !== undefined) return known;
  const segments = path.split("/", 9);
  for (const pattern of open) {
    const parameters = fill(pattern, segments);
    if (parameters !== undefined) return { address: pattern.address, parameters };
  }
  return undefined;
}

function fill(pattern: Pattern, segments: readonly string[]): Record<string, string> | undefined {
  if (pattern.segments.length !== segments.length) return undefined;
  const parameters: Record<string, string> = {};
  for (const [index, expected] of pattern.segments.entries()) {
    const found = segments[index] ?? "";
    if ("text" in expected) {
      if (found !== expected.text) return undefined;
    } else {
      const value = decoded(found);
      if (value === undefined || value === "") return undefined;
      parameters[expected.name] = value;
    }
  }
  return parameters;
}

function decoded(segment: string): string | undefined {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

/** The path of a target as it was sent, without the query, and without the scheme and host that a proxy's request has. */
export function pathOf(target: string): string {
  const query = target.indexOf("?");
  const path = query < 0 ? target : target.slice(0, query);
  // `*` is the server as a whole, at which nothing is.
  if (path.startsWith("/") || path === "*") return path;
  const afterScheme = path.indexOf("://");
  const slash = afterScheme < 0 ? -1 : path.indexOf("/", afterScheme + 3);
  return slash < 0 ? "/" : path.slice(slash);
}
