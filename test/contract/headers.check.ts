import { type DocumentedAnswer, documentedAnswers, failures, inEach } from "./answers.ts";
import { must } from "./broken.ts";
import { check, type Trial } from "./check.ts";
import { hasHeader } from "./laws.ts";

const quota = ["X-Service-Monthly-Quota", "X-Service-Monthly-Remaining"];
const toLookAt = new Set(documentedAnswers.flatMap(({ headers }) => headers));

/** Trials of one header in every answer that the document gives it to. */
function wherever(name: string): Trial[] {
  toLookAt.delete(name);
  return inEach(
    documentedAnswers.filter(({ headers }) => headers.includes(name)),
    hasHeader(name),
  );
}

check("HEAD-1", "every answer carries a request id", wherever("X-Service-Request-Id"));
check("HEAD-3", "sends and batches tell the monthly allowance", wherever("X-Service-Monthly-Quota"));
check(
  "HEAD-4",
  "sends and batches tell what is left of the allowance",
  wherever("X-Service-Monthly-Remaining"),
);
check(
  "HEAD-5",
  "no other call tells the allowance",
  inEach(documentedAnswers.filter(isNeitherSendNorBatch), (exchange) => {
    const found = quota.filter((name) => name.toLowerCase() in exchange.headers);
    must(found.length === 0, exchange, {
      expected: `no ${quota.join(" and no ")}`,
      found: found.join(" and "),
    });
  }),
);
check("HEAD-6", "a success tells the request limit of a minute", wherever("X-RateLimit-Limit"));
check("HEAD-7", "a success tells the requests left in the minute", wherever("X-RateLimit-Remaining"));
check(
  "HEAD-8",
  "a 429 for too many requests tells the seconds to wait",
  inEach(
    failures.filter(({ example }) => example === "rate_limited"),
    hasHeader("Retry-After", true),
  ),
);
check("HEAD-8", "a Retry-After is a number of seconds wherever it stands", wherever("Retry-After"));
check("IDEM-7", "a replay says so with the value true", wherever("Idempotent-Replayed"));

if (toLookAt.size > 0) throw new Error(`no law looks at the headers ${[...toLookAt].join(", ")}: add one`);

function isNeitherSendNorBatch({ operation }: DocumentedAnswer): boolean {
  return operation !== "sendEmail" && operation !== "sendBatch";
}
