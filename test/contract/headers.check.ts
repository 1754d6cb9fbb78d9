import { documentedAnswers, failuresOfType, inEach } from "./answers.ts";
import { must } from "./broken.ts";
import { check, type Trial } from "./check.ts";
import type { Header } from "./document.ts";
import { hasHeader } from "./laws.ts";
import { settings } from "./settings.ts";

const toLookAt = new Set(documentedAnswers.flatMap(({ headers }) => Object.keys(headers)));
/** The operations that alone have a header, by its name, where the document names them. */
const reserved = new Map(
  documentedAnswers
    .flatMap(({ headers }) => Object.entries(headers))
    .flatMap(([name, { "x-operations": users }]) => (users === undefined ? [] : [[name, users] as const])),
);

/**
 * Trials of one header in every answer that the document gives it to. A server that answers with the examples of the document
 * answers with those of its headers, so that each must come: those too that a service sends only at times.
 */
function wherever(name: string): Trial[] {
  toLookAt.delete(name);
  return inEach(
    documentedAnswers.filter(({ headers }) => comes(headers[name])),
    hasHeader(name),
  );
}

/** Whether a documented header is to be seen for sure. */
const comes = (header: Header | undefined): boolean =>
  header !== undefined && (settings.profile === "mock" || header.required === true);

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
  [...reserved].flatMap(([name, users]) =>
    inEach(
      documentedAnswers.filter(({ operation }) => !users.includes(operation)),
      (exchange) => {
        const value = exchange.headers[name.toLowerCase()];
        must(value === undefined, exchange, { expected: `no ${name}`, found: `${name}: ${value}` });
      },
      name,
    ),
  ),
);
check("HEAD-6", "a success tells the request limit of a minute", wherever("X-RateLimit-Limit"));
check("HEAD-7", "a success tells the requests left in the minute", wherever("X-RateLimit-Remaining"));
check(
  "HEAD-8",
  "a 429 for too many requests tells the seconds to wait",
  inEach(failuresOfType("rate_limited"), hasHeader("Retry-After")),
);
check("HEAD-8", "a Retry-After is a number of seconds wherever it stands", wherever("Retry-After"));
check("IDEM-7", "a replay says so with the value true", wherever("Idempotent-Replayed"));

if (toLookAt.size > 0) throw new Error(`no law looks at the headers ${[...toLookAt].join(", ")}: add one`);
