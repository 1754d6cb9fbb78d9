import fc from "fast-check";
import { expect, test } from "vitest";
import { errors } from "../../generated/errors.ts";
import { operations } from "../../generated/operations.ts";

import { accepted, failure, message, type Step, success, testClient } from "./test-client.ts";

// Checked against x-errors, not against the table that is generated for the client.

const types = [...new Set(Object.values(errors).flatMap(({ type }) => type ?? [])), "something_new"];
const statuses = [
  ...new Set(Object.values(errors).map(({ status }) => status)),
  400,
  408,
  418,
  425,
  504,
  302,
];
const cuts = ["ECONNRESET", "ECONNREFUSED", "UND_ERR_SOCKET", "EPIPE"];

const retryAfter = fc.constantFrom(undefined, "0", "1", "30", "3600", "soon");
const headersOf = (wait: string | undefined): Record<string, string> =>
  wait === undefined ? {} : { "Retry-After": wait };
const rejected = fc
  .tuple(fc.constantFrom(...statuses), fc.constantFrom(...types), retryAfter)
  .map(([status, type, wait]) => failure(status, type, headersOf(wait)));
const bodyless = fc
  .tuple(fc.constantFrom(...statuses), fc.constantFrom("", "<html>", '{"error":', "null"), retryAfter)
  .map(([status, body, wait]): Step => ({ status, body, headers: headersOf(wait) }));
const lost = fc.oneof(
  fc.constantFrom(...cuts).map((cut): Step => ({ cut })),
  fc.constant<Step>({ hang: true }),
  fc.constantFrom<Step>(
    { status: 202, partly: '{"id"', end: "cut" },
    { status: 202, partly: '{"id"', end: "hang" },
    { status: 500, partly: '{"er', end: "cut" },
    { status: 429, partly: '{"er', end: "cut", headers: { "Retry-After": "30" } },
    { status: 503, partly: '{"er', end: "hang", headers: { "Retry-After": "3600" } },
  ),
);
const good = fc.constant(success({ ...accepted, status: "canceled", lists: [] }));
const script = fc.array(fc.oneof(rejected, bodyless, lost, good), { minLength: 1, maxLength: 8 });
const chance = fc.double({ min: 0, max: 0.999, noNaN: true });
const isGood = (step: Step) => "status" in step && !("partly" in step) && step.status === 200;
const call = fc.constantFrom("sendEmail", "cancelEmail", "listNewsletterLists");

/** The retry rule of the contract for a step. */
function ruleOf(step: Step): "never" | "after" | "backoff" {
  if (!("status" in step) || "partly" in step) return "backoff";
  let type: unknown;
  try {
    type = JSON.parse(step.body ?? "").error.type;
  } catch {}
  const rows = Object.values(errors).filter(({ status }) => status === step.status);
  const row = rows.find((one) => one.type === type) ?? rows.find((one) => one.type === null);
  return row?.retry ?? "never";
}

test("in 10 000 random scripts nothing is retried that must not be, and nothing too early", async () => {
  const property = fc.asyncProperty(script, call, chance, async (steps, operation, random) => {
    const times: number[] = [];
    const { client, requests, clock, until } = testClient(steps, {
      random: () => random,
      onEvent: (event) => event.type === "attempt" && times.push(clock.Date.now()),
    });
    const start = clock.Date.now();
    const calls = {
      sendEmail: () => client.emails.send(message),
      cancelEmail: () => client.emails.cancel("sched_1"),
      listNewsletterLists: () => client.newsletter.lists(),
    };
    const outcome = await until(
      calls[operation]().then(
        () => "success",
        () => "failure",
      ),
    );
    const { method, idempotent } = operations[operation];
    const isSafe = method === "GET" || idempotent;
    const met = times.map((_, index) => steps[Math.min(index, steps.length - 1)] as Step);
    for (const [index, step] of met.slice(0, -1).entries()) {
      const rule = ruleOf(step);
      expect(rule === "after" || (rule === "backoff" && isSafe)).toBe(true);
      const wait = "headers" in step ? Number(step.headers?.["Retry-After"] ?? 0) || 0 : 0;
      expect((times[index + 1] ?? 0) - (times[index] ?? 0)).toBeGreaterThanOrEqual(wait * 1000);
    }
    expect(outcome).toBe(isGood(met.at(-1) as Step) ? "success" : "failure");
    const last = met.at(-1) as Step;
    const rule = ruleOf(last);
    const mayRetry = !isGood(last) && (rule === "after" || (rule === "backoff" && isSafe));
    const wait = "headers" in last ? Number(last.headers?.["Retry-After"] ?? 0) || 0 : 0;
    // A retryable request is retried while attempts and time are left.
    const timeLeft = 120_000 - (clock.Date.now() - start);
    expect(mayRetry && requests.length < 4 && wait * 1000 + 8000 < timeLeft).toBe(false);
    expect(new Set(requests.map(({ headers, body }) => `${headers["idempotency-key"]} ${body}`)).size).toBe(
      1,
    );
    expect(requests.length).toBeLessThanOrEqual(4);
  });
  await fc.assert(property, { numRuns: 10_000 });
}, 120_000);
