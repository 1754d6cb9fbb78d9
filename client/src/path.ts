import type { Row } from "../../generated/client/table.ts";
import { encoded } from "./validate.ts";

/**
 * Fills in and encodes the path parameter of an operation. One that a URL cannot have is a TypeError that rejects the request:
 * the row is evaluated when it is sent.
 */
export const withPathParameter = (row: Row, parameter: string): Row =>
  lazily(row, parameter) as Iterable<unknown> as Row;

function* lazily([method, path, ...rest]: Row, parameter: string) {
  yield method;
  yield path.replace(/\{(\w+)\}/, (_, name: string) => encoded(name, parameter));
  yield* rest;
}

/** A value of a query parameter; an array repeats the parameter. */
type QueryValue = string | number | boolean | undefined | readonly (string | number | boolean)[];

/** Adds query parameters to an operation, in the order of the document; undefined ones are left out. */
export function withQuery<Query extends { readonly [Name in keyof Query]: QueryValue }>(
  [method, path, idempotent, names = []]: Row,
  query: Query,
): Row {
  const search = new URLSearchParams();
  for (const name of names)
    for (const value of [query[name as keyof Query] ?? []].flat()) search.append(name, `${value}`);
  return [method, search.size > 0 ? `${path}?${search}` : path, idempotent];
}
