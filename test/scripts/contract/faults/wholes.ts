import { instead, isMessage, type KnownFault, text } from "./changes.ts";

/** Answers that are wrong as a whole, so that smaller faults would not show beside them. */
export const wholeFaults: KnownFault[] = [
  {
    name: "an error that is not in an object",
    ids: ["ERR-1", "ERR-16"],
    shownIn: "getMe 429 rate_limited",
    expected: "a body with error.type, error.message and error.request_id",
    found: "/error is missing",
    after: instead(
      ({ text: whole }) => ({ text: JSON.stringify((JSON.parse(whole) as { error: unknown }).error) }),
      (_, given) => given.status >= 400,
    ),
  },
  {
    name: "another record than the one asked for",
    ids: ["LOOK-1"],
    shownIn: "getEmail 2XX canceled",
    expected: "the example canceled as it stands in the document",
    found: "at /from",
    after: text(/"from":"[^"]*"/g, `"from":"else@example.com"`, isMessage),
  },
];
