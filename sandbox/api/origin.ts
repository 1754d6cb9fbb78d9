import type { ApiRequest } from "./context.ts";

/** The URL of the sandbox or workspace that a request came to: behind a proxy, the one that the client used. */
export function originOf({ headers, base = "" }: Pick<ApiRequest, "headers" | "base">): string {
  const scheme = headers["x-forwarded-proto"] === "https" ? "https" : "http";
  return `${scheme}://${headers.host ?? "localhost"}${base}`;
}
