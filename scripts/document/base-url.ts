import type { OpenApiDocument } from "./types.ts";

/** The base URL of the first server with the defaults of its variables, without a slash at the end. */
export function baseUrlOf({ servers }: OpenApiDocument): string {
  const { url = "", variables = {} } = servers[0] ?? {};
  const filled = url.replaceAll(/\{(\w+)\}/g, (_, name: string) => variables[name]?.default ?? "");
  return filled.replace(/\/$/, "");
}
