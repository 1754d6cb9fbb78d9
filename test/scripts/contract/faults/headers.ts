import { header, instead, isMessage, type KnownFault } from "./changes.ts";

/** Answers with headers that the document does not have so. */
export const headerFaults: KnownFault[] = [
  {
    name: "no request id in the header",
    ids: ["HEAD-1"],
    shownIn: "getMe 200 account",
    expected: "the header X-Service-Request-Id as documented",
    found: "no such header",
    after: header("x-service-request-id"),
  },
  {
    name: "no allowance on a send",
    ids: ["HEAD-3"],
    shownIn: "sendBatch 2XX accepted",
    expected: "the header X-Service-Monthly-Quota as documented",
    found: "no such header",
    after: header("x-service-monthly-quota"),
  },
  {
    name: "an allowance on a look-up",
    ids: ["HEAD-5"],
    shownIn: "getEmail 2XX sent",
    expected: "no X-Service-Monthly-Quota",
    found: "X-Service-Monthly-Quota",
    after: header("x-service-monthly-quota", "50000", isMessage),
  },
  {
    name: "a request limit in words",
    ids: ["HEAD-6"],
    shownIn: "listCustomFields 2XX",
    expected: "the header X-RateLimit-Limit as documented",
    found: "X-RateLimit-Limit: plenty, which must be integer",
    after: header("x-ratelimit-limit", "plenty"),
  },
  {
    name: "no word on how long to wait",
    ids: ["HEAD-8"],
    shownIn: "sendEmail 429 rate_limited",
    expected: "the header Retry-After as documented",
    found: "no such header",
    after: header("retry-after"),
  },
  {
    name: "a replay that says yes instead of true",
    ids: ["IDEM-7"],
    shownIn: "sendEmail 202 accepted",
    expected: "the header Idempotent-Replayed as documented",
    found: "Idempotent-Replayed: yes",
    after: header("idempotent-replayed", "yes", (_, given) => "idempotent-replayed" in given.headers),
  },
  {
    name: "HTML",
    ids: ["GEN-4"],
    shownIn: "getEmail 500",
    expected: "content-type: application/json",
    found: "content-type: text/html",
    after: instead(
      { headers: { "content-type": "text/html" }, text: "<p>Oops</p>" },
      (_, given) => given.status === 500,
    ),
  },
];
