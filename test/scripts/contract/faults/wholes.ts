import { header, instead, is, isMessage, type KnownFault, text } from "./changes.ts";

/** Answers with faults beside which others would not show. */
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
  {
    name: "a time that is none",
    ids: ["SCHED-4"],
    shownIn: "sendEmail 202 scheduled",
    expected: "scheduled_at, a time in UTC",
    found: 'scheduled_at is "1"',
    after: text(/"scheduled_at":"[^"]*"/g, '"scheduled_at":"1"', (asked) => is(asked, "POST /emails")),
  },
  {
    name: "a replay that is never told",
    ids: ["IDEM-7"],
    shownIn: "sendEmail 202 accepted",
    expected: "the header Idempotent-Replayed as documented",
    found: "no such header",
    after: header("idempotent-replayed"),
  },
];
