import { isObject } from "../../lib/objects.ts";
import type { Schema } from "../document.ts";
import type { Exchange } from "../exchange.ts";
import type { DocumentedResponse } from "./documented.ts";
import { branchFor } from "./nodes.ts";
import { viewOf } from "./schema-view.ts";

/** Headers of HTTP and of proxies. */
const ofHttp =
  /^(connection|keep-alive|transfer-encoding|content-.*|date|server|via|vary|cache-control|etag|expires|pragma|age|alt-svc|strict-transport-security|access-control-.*|x-content-type-options|x-frame-options|set-cookie|referrer-policy|location|nel|report-to)$/;

/** Fields and headers of a response that the document does not describe: the service may add them. */
export function unknownParts(exchange: Exchange, documented: DocumentedResponse): string[] {
  const isDocumented = (name: string): boolean => documented.headers.some(({ lower }) => lower === name);
  const headers = Object.keys(exchange.headers).filter((name) => !isDocumented(name) && !ofHttp.test(name));
  const fields = documented.schema === undefined ? [] : unknownFields(documented.schema, exchange.json, "");
  if (headers.length + fields.length === 0) return [];
  const place = `${exchange.request.operation} ${documented.key}`;
  return [
    ...headers.map((name) => `header ${name} (${place})`),
    ...[...new Set(fields)].map((name) => `field ${name} (${place})`),
  ];
}

function unknownFields(schema: Schema, value: unknown, path: string, found: string[] = []): string[] {
  const { alternatives, items, properties, schema: own } = viewOf(schema);
  const branch = branchFor(alternatives, value);
  if (branch !== undefined) return unknownFields(branch, value, path, found);
  if (Array.isArray(value)) {
    if (items !== undefined) for (const entry of value) unknownFields(items, entry, `${path}[]`, found);
    return found;
  }
  // An object without named properties, or with a schema for any name, is a map: its names are data.
  if (!isObject(value) || typeof own.additionalProperties === "object" || properties.size === 0) return found;
  for (const [name, inner] of Object.entries(value)) {
    const at = path === "" ? name : `${path}.${name}`;
    const known = properties.get(name);
    if (known === undefined) found.push(at);
    else unknownFields(known, inner, at, found);
  }
  return found;
}
