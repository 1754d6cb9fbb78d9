import { documentedAnswers, inEach, isSuccess } from "./answers.ts";
import { must } from "./broken.ts";
import type { Exchange } from "./call.ts";
import { check } from "./check.ts";

check("GEN-4", "an answer has a JSON body, labelled as JSON", inEach(documentedAnswers, isJson));

check(
  "GEN-7",
  "every time in an answer is in UTC",
  inEach(
    documentedAnswers.filter((answer) => isSuccess(answer) && timesIn(answer.value).length > 0),
    timesAreInUtc,
  ),
);

function isJson(exchange: Exchange): void {
  const type = exchange.headers["content-type"];
  const labelled = type !== undefined && /^application\/json *(;|$)/i.test(type);
  must(labelled, exchange, {
    expected: "content-type: application/json",
    found: `content-type: ${type ?? "none"}`,
  });
  must(exchange.json !== undefined, exchange, { expected: "a JSON body", found: "a body that is not JSON" });
}

function timesAreInUtc(exchange: Exchange): void {
  for (const [name, time] of timesIn(exchange.json)) {
    const inUtc = /(Z|[+-]00:?00)$/i.test(time);
    must(inUtc, exchange, { expected: `${name} in UTC, with Z at its end`, found: `${name} is ${time}` });
  }
}

/** The times in a body, with the names of their fields: those named `at` or `..._at`. */
function timesIn(value: unknown): [string, string][] {
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]): [string, string][] =>
    typeof inner === "string" && /(^|_)at$/.test(name) ? [[name, inner]] : timesIn(inner),
  );
}
