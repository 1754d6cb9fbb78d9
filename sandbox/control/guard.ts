import { isIP } from "node:net";

/** What the guard looks at. */
export interface Guarded {
  method: string;
  headers: Record<string, string | undefined>;
}

/** Why a request is not let through, and what to do about it. */
export interface Barred {
  message: string;
  hint: string;
}

const loopback = /^(localhost|.+\.localhost|127(\.\d{1,3}){3}|\[::1\])$/;
// Names that nobody outside can own: with one label, or under a top-level name that is kept for networks of one's own.
const inside = /^([a-z0-9-]+|.+\.(internal|local|localhost|home\.arpa))$/;

/**
 * Keeps web pages of other sites from driving the sandbox. A page whose name was bound anew to this machine (DNS rebinding) sends its
 * own name as `Host`; a form or script of another site sends its own `Origin`, or `null` out of a sandboxed frame.
 *
 * @param exposed whether the sandbox listens beyond loopback: then it is also reached by addresses and names of a network
 * @returns why not, or undefined when the request may pass
 */
export function bar(request: Guarded, exposed: boolean): Barred | undefined {
  const host = request.headers.host?.toLowerCase();
  const name = host?.replace(/:\d+$/, "") ?? "";
  if (!isOwnName(name, exposed))
    return {
      message: `This sandbox does not go by the name ${JSON.stringify(name.slice(0, 100))}.`,
      hint: "Call it by its address, or by localhost: a page of another site could be behind any other name.",
    };
  if (request.method === "GET" || request.method === "HEAD") return undefined;
  const { origin } = request.headers;
  const site = request.headers["sec-fetch-site"];
  if (origin === undefined && (site === undefined || site === "same-origin" || site === "none"))
    return undefined;
  if (origin !== undefined && URL.parse(origin)?.host === host && host !== undefined) return undefined;
  return {
    message: "This call comes from a page of another site.",
    hint: "Use the sandbox's own pages, or a program that is not a browser, such as curl.",
  };
}

const isOwnName = (name: string, exposed: boolean): boolean =>
  loopback.test(name) || (exposed && (inside.test(name) || isIP(name.replace(/^\[|\]$/g, "")) !== 0));
