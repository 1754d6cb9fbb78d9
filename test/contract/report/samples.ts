import type { ExpectedFailure } from "../../../contract/config/load.ts";
import type { CaseOutcome, RecordedExchange } from "../../../contract/engine/outcome.ts";
import { planOf } from "../../../contract/plan.ts";
import type { ContractResult } from "../../../contract/report/result.ts";
import { summarize } from "../../../contract/report/summarize.ts";
import { demoSettings } from "../../mutants/demo.ts";
import { runOnSandbox } from "../../mutants/harness.ts";
import { shows } from "../../mutants/mutant.ts";

/** Text of a malicious server: markup, quotes, control characters, a lone surrogate. */
export const hostile = `</pre><script>alert(1)</script> "'\`\`\`\` ]]> & \u001B[31m \u202E \0 \uD800 | \${x} @someone`;

export const sampleExchange: RecordedExchange = {
  startedAt: Date.UTC(2026, 0, 2, 3, 4, 5),
  milliseconds: 12.3,
  method: "POST",
  path: "/api/v1/emails",
  key: "sendOnly",
  request: {
    headers: { authorization: "Bearer ***", "content-type": "application/json" },
    body: `{"subject":"It's"}`,
  },
  response: {
    status: 200,
    headers: { "content-type": "text/html", "x-hostile": hostile },
    body: `<b>${hostile}</b>`,
  },
};

/** An outcome with overrides. */
export const outcome = (changes: Partial<CaseOutcome>): CaseOutcome => ({
  ids: ["IDEM-1"],
  check: "a sample check",
  title: "",
  tags: [],
  verdict: "pass",
  exchanges: [sampleExchange],
  responseChecks: [],
  information: [],
  requests: 1,
  milliseconds: 5,
  ...changes,
});

const found = { expected: "status 202", found: `status 200 ${hostile}`, exchange: 0 };

/** One of each verdict, and a failed response check. */
export const oneOfEach: readonly CaseOutcome[] = [
  outcome({ ids: ["IDEM-1"] }),
  outcome({
    ids: ["IDEM-2", "IDEM-3"],
    check: "a failing sample",
    title: "one case",
    verdict: "fail",
    failure: found,
  }),
  outcome({
    ids: ["IDEM-2", "IDEM-3"],
    check: "a failing sample",
    title: hostile,
    verdict: "fail",
    failure: found,
  }),
  outcome({
    ids: ["AUTH-15"],
    check: "a check without a key",
    verdict: "not verified",
    reason: "Not configured: keys.sendOnly, lists.plain.",
    needs: ["keys.sendOnly", "lists.plain"],
    exchanges: [],
  }),
  outcome({
    ids: ["LIST-1"],
    check: "a check without a response",
    verdict: "error",
    reason: `No response to GET /api/v1/newsletter/lists: ${hostile}`,
    exchanges: [],
  }),
  outcome({
    ids: ["SEND-1"],
    check: "an expected failure",
    verdict: "fail",
    failure: found,
    information: [`field ${hostile}`],
    responseChecks: [
      {
        ids: ["HEAD-1"],
        title: "every response has an id",
        responses: 3,
        failures: [{ ...found, exchange: sampleExchange, expected: "an id" }],
      },
    ],
  }),
];

/** A result of these outcomes, with overrides. */
export const resultOf = (
  outcomes: readonly CaseOutcome[] = oneOfEach,
  expected: readonly (string | ExpectedFailure)[] = ["SEND-1", "IDEM-1"],
  changes: Partial<ContractResult> = {},
): ContractResult => ({
  ...summarize({
    information: {
      baseUrl: "https://api.example.com",
      profile: "core",
      runId: "sample",
      startedAt: "2026-01-02T03:04:05.678Z",
      durationMilliseconds: 83_400,
      waitedMilliseconds: 61_000,
      requests: 1234,
    },
    outcomes,
    expected: expected.map((entry) => (typeof entry === "string" ? { id: entry } : entry)),
  }),
  tool: { name: "email-api-contract", version: "1.2.3" },
  ...changes,
});

const base64 = (text: string): string => Buffer.from(text).toString("base64");

/** A server that sends the key of a request back, in headers and bodies, in every encoding, and fails a requirement. */
const repeatingKeys = shows(
  "IDEM-2",
  "sends the key back in each response",
  (response, { headers, path }) => {
    const { authorization = "" } = headers;
    const key = authorization.replace("Bearer ", "");
    const forms = {
      whole: authorization,
      json: JSON.stringify(JSON.stringify({ key })),
      url: `https://example.com/?key=${encodeURIComponent(key)}`,
      base64: [
        base64(key),
        base64(`u:${key}`),
        base64(authorization),
        Buffer.from(key).toString("base64url"),
      ],
      // Longer than reports keep: they cut it, possibly within a key.
      long: !path.endsWith("/me") ? "" : `${"x".repeat(2000)}${key}${"x".repeat(16_000 - key.length)}${key}`,
    };
    const body = response.body as { error?: { message?: string } } | undefined;
    const error = body?.error === undefined ? {} : { error: { ...body.error, message: `Bad key ${key}` } };
    return {
      ...response,
      status: response.status === 409 ? 422 : response.status,
      headers: { ...response.headers, "x-repeated": authorization, "x-repeated-base64": forms.base64.join() },
      body: { ...body, ...error, [key]: forms },
    };
  },
);

let repeated: Promise<ContractResult> | undefined;

/** The result for a server that sends keys back; computed once. */
export function repeatedKeysResult(): Promise<ContractResult> {
  // The profile `core` has no keys that are nearly one.
  const plans = [
    planOf(demoSettings("core"), /^(AUTH|CONT|IDEM|SEND)-/),
    planOf(demoSettings("full"), /AUTH-13/),
  ];
  repeated ??= runOnSandbox({ intercept: repeatingKeys.intercept, plans }).then((outcomes) =>
    resultOf(outcomes, []),
  );
  return repeated;
}

/** The keys of that run. */
export const repeatedKeys = (): string[] => Object.values(demoSettings().keys);
