/** A query parameter that is undefined is not sent; a list is sent as one parameter per entry (`form`, exploded). */
export type Query = Readonly<Record<string, QueryValue | readonly QueryValue[] | undefined>>;
type QueryValue = string | number | boolean;

/**
 * The path of a request: the template with encoded path parameters, and the query.
 *
 * @param template with `{name}` for each path parameter
 * @throws Error unless `path` has exactly the parameters of the template
 */
export function pathOf(
  template: string,
  path: Readonly<Record<string, string>> = {},
  query: Query = {},
): string {
  const unused = new Set(Object.keys(path));
  const filled = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = path[name];
    if (value === undefined) throw new Error(`path parameter ${name} of ${template} is missing`);
    unused.delete(name);
    return encodeURIComponent(value);
  });
  if (unused.size > 0) throw new Error(`${template} has no path parameter ${[...unused].join(", ")}`);
  const pairs = Object.entries(query).flatMap(([name, value]) =>
    value === undefined ? [] : [value].flat().map((one) => [name, String(one)] as [string, string]),
  );
  return pairs.length === 0 ? filled : `${filled}?${new URLSearchParams(pairs)}`;
}
