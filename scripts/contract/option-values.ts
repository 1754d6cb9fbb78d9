import { UserError } from "../../lib/user-error.ts";

/**
 * The address of a server that answers, without a slash at its end.
 *
 * @throws Failure with exit status 2 when it is no address of a server, has parts that requests cannot have, or nothing
 *   answers there
 */
export async function reachableBaseUrl(text: string): Promise<string> {
  const url = URL.parse(text);
  if (url === null || !/^https?:$/.test(url.protocol)) {
    throw wrong(
      `${text} is not the address of a server.`,
      "Give one such as http://127.0.0.1:4010, without /api/v1.",
    );
  }
  // The text itself is not shown: it may hold a password.
  if (url.username !== "" || url.password !== "") {
    throw wrong(
      "The address of the server has a user or a password in it.",
      "Give the key in CONTRACT_API_KEY.",
    );
  }
  if (/[?#]/.test(text)) {
    throw wrong(
      "The address of the server has a query or a fragment.",
      "Give the address up to the ? or the #.",
    );
  }
  await fetch(url, { redirect: "manual", signal: AbortSignal.timeout(10_000) })
    .then((answer) => answer.body?.cancel())
    .catch((cause: unknown) => {
      throw wrong(`${url.origin} does not answer.`, "Start the server, or check the address.", cause);
    });
  return url.href.replace(/\/+$/, "");
}

/**
 * The key itself, once it is known to fit into a header.
 * @throws Failure with exit status 2, which does not show it
 */
export function usableKey(key: string): string {
  if (/^[!-~]+$/.test(key)) return key;
  const hint = "A key has letters, digits and signs of ASCII, no spaces and no line breaks.";
  throw wrong(
    key === "" ? "The API key is empty." : "The API key has characters that a header cannot hold.",
    hint,
  );
}

/**
 * The regular expression that a test must match. An id at an end of it stands for itself alone: SEND-3 is not SEND-30.
 * @throws Failure with exit status 2 when it is none
 */
export function grepPattern(grep: string): RegExp {
  try {
    return new RegExp(grep.replaceAll(/[A-Z]+-\d+(?=$|[|)])/g, "$&(?!\\d)"));
  } catch (cause) {
    throw wrong(`${grep} is not a regular expression.`, "Give an id, such as SEND-9, or a word.", cause);
  }
}

const wrong = (message: string, hint: string, cause?: unknown): UserError =>
  new UserError(message, { hint, exitCode: 2, cause });
