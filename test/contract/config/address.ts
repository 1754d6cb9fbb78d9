import { UserError } from "../../../lib/user-error.ts";
import { refuse } from "./faults.ts";
import type { Source } from "./source.ts";

/**
 * The address of the server, without a slash at its end: the given one, or that of the configuration.
 * @throws Failure with exit status 2 where there is none, or one that is no base URL; it is not shown, since it may hold a password
 */
export function serverAddress(
  given: string | undefined,
  configured: string | undefined,
  source: Source,
): string {
  const text = given ?? configured;
  if (text === undefined)
    throw new UserError("No server is named.", {
      hint: "Give --base-url URL, or write `baseUrl: URL` into the configuration.",
      exitCode: 2,
    });
  const fault = faultOf(text);
  if (fault === undefined) return new URL(text).href.replace(/\/+$/, "");
  if (given !== undefined) throw new UserError(`--base-url ${fault}.`, { hint, exitCode: 2 });
  refuse([{ path: ["baseUrl"], says: fault }], source, hint);
  throw new Error("unreachable: a fault is refused");
}

const hint =
  "Give an address such as https://staging.example.com, without /api/v1; keys come from the environment.";

function faultOf(text: string): string | undefined {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) return "is not the address of a server";
  if (url.username !== "" || url.password !== "") return "has a user or a password in it";
  if (/[?#]/.test(text)) return "has a query or a fragment";
  if (/\/api\/v1\/?$/.test(url.pathname)) return "ends with /api/v1, which is part of every call";
  return undefined;
}
