import { isObject } from "../../../lib/is-object.ts";
import { document, resolve, type Schema } from "../document.ts";
import type { Exchange } from "../exchange.ts";
import type { DocumentedResponse } from "./documented.ts";
import { branchFor } from "./nodes.ts";

/** Headers of HTTP and of proxies. */
const ofHttp =
  /^(connection|keep-alive|transfer-encoding|content-.*|date|server|via|vary|cache-control|etag|expires|pragma|age|alt-svc|strict-transport-security|access-control-.*|x-content-type-options|x-frame-options|set-cookie|referrer-policy|location|nel|report-to)$/;

/** Fields and headers of a response that the document does not describe: the service may add them. */
export function unknownParts(exchange: Exchange, documented: DocumentedResponse): string[] {
  const place = `${exchange.request.operation} ${documented.key}`;
  const names = new Set(documented.headers.map(([name]) => name.toLowerCase()));
  const headers = Object.keys(exchange.headers).filter((name) => !names.has(name) && !ofHttp.test(name));
  const fields = documented.schema === undefined ? [] : unknownFields(documented.schema, exchange.json, "");
  return [
    ...headers.map((name) => `header ${name} (${place})`),
    ...[...new Set(fields)].map((name) => `field ${name} (${place})`),
  ];
}

function unknownFields(schema: Schema, value: unknown, path: string): string[] {
  const { anyOf = [], oneOf = [], items, properties = {}, ...rest } = resolve<Schema>(document, schema);
  const branch = branchFor([...anyOf, ...oneOf], value);
  if (branch !== undefined) return unknownFields(branch, value, path);
  if (Array.isArray(value))
    return items === undefined ? [] : value.flatMap((entry) => unknownFields(items, entry, `${path}[]`));
  // An object without named properties, or with a schema for any name, is a map: its names are data.
  if (
    !isObject(value) ||
    typeof rest.additionalProperties === "object" ||
    Object.keys(properties).length === 0
  )
    return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    const at = path === "" ? name : `${path}.${name}`;
    const known = Object.hasOwn(properties, name) ? properties[name] : undefined;
    return known === undefined ? [at] : unknownFields(known, inner, at);
  });
}
