/** What to do about an error of a connection, by its code, or its message without one. */
const hints: readonly (readonly [code: RegExp, hint: string])[] = [
  [
    /SELF_SIGNED|UNABLE_TO_(VERIFY|GET)|UNTRUSTED/,
    "Set the environment variable NODE_EXTRA_CA_CERTS to a file with the certificate of its authority, in PEM.",
  ],
  [/CERT/, "Check the certificate of the server, and the host name in the URL."],
  [/ENOTFOUND|EAI_AGAIN/, "Check the host name in the URL, and the network."],
  [/^bad port$/, "Use another port: this one is kept for another protocol, and gets no requests."],
  [/ECONNREFUSED/, "Start the server, or check the host and the port in the URL."],
  [
    /WRONG_VERSION|EPROTO|PACKET_LENGTH/,
    "The server may not use TLS: check whether its URL starts with http://.",
  ],
  [
    /TIMEDOUT|TIMEOUT|UNREACH/,
    "Check that the server can be reached from this machine, and that it responds.",
  ],
  [/ECONNRESET|EPIPE|SOCKET|HPE_/, "The server sent no response, or no HTTP: try https://, or see its log."],
];

/** Why a request had no response, and what to do about it, if that is known. @param seconds how long it waited */
export function connectionProblem(error: unknown, seconds: number): { reason: string; hint?: string } {
  if (!(error instanceof Error)) return { reason: String(error) };
  const isTimeout = error.name === "TimeoutError";
  // The message of `fetch` says only that it failed; that of several addresses is empty.
  const { cause = error } = error as { cause?: Error & { code?: string } };
  const code = isTimeout ? "TIMEOUT" : String((cause as { code?: string }).code ?? "");
  const hint = hints.find(([pattern]) => pattern.test(code || cause.message))?.[1];
  const message = (cause.message || error.message)
    .replace(/; if the root CA .*/s, "")
    .replace(/^.*SSL routines:[^:]*:([^:]*):.*$/s, "TLS: $1");
  const known = code === "" || message.includes(code) ? message : `${message} (${code})`;
  const reason = isTimeout ? `it took longer than ${seconds} s` : known;
  return { reason, ...(hint !== undefined && { hint }) };
}

/** Whether anything responds at a URL within two seconds. */
export const isResponding = (url: string): Promise<boolean> =>
  fetch(url, { method: "HEAD", redirect: "manual", signal: AbortSignal.timeout(2_000) }).then(
    () => true,
    () => false,
  );
