import { describe, expect, test } from "vitest";
import { AssertionFailure } from "../../../contract/engine/assert.ts";
import { causeOf } from "../../../contract/engine/cause.ts";
import type { Exchange } from "../../../contract/exchange.ts";
import { planOf } from "../../../contract/plan.ts";
import { annotationsReport } from "../../../contract/report/annotations.ts";
import { diagnose, type Finding } from "../../../contract/report/causes.ts";
import { htmlReport } from "../../../contract/report/html.ts";
import { junitReport } from "../../../contract/report/junit.ts";
import { markdownReport } from "../../../contract/report/markdown.ts";
import { mapValues } from "../../../lib/objects.ts";
import { demoSettings } from "../../mutants/demo.ts";
import { runOnSandbox } from "../../mutants/harness.ts";
import type { Interceptor } from "../../mutants/mutant.ts";
import {
  errorIn,
  inOneLine,
  isSuccess,
  mapped,
  rejection,
  responding,
  resultFor,
  revived,
  textOf,
} from "./faults.ts";
import { outcome, resultOf } from "./samples.ts";

/** Servers with one fault that fails many requirements, with its cause, and what the console shows of it. */
const servers: Record<string, [cause: RegExp, grep: RegExp, Interceptor, shown?: RegExp]> = {
  "a too strict rule for tags": [
    /^tags is rejected with 422 invalid_request: "Tags have lower-case names"$/,
    /SEND-|LOOK-|BATCH-|SIM-/,
    (request, next) => {
      const { emails, tags } = (request.body ?? {}) as { emails?: { tags?: object }[]; tags?: object };
      const index = (emails ?? [{ tags }]).findIndex?.((one) =>
        /[A-Z_:]/.test(Object.keys(one?.tags ?? {}).join()),
      );
      const isSend = request.method === "POST" && /\/emails(\/batch)?$/.test(request.path);
      if (!isSend || !(index >= 0)) return next(request);
      return rejection(emails === undefined ? "tags" : `emails.${index}.tags`, "Tags have lower-case names.");
    },
  ],
  "bodies in an envelope": [
    /^Bodies are inside a property data: return its value as the body$/,
    /LIST-|LOOK-|CONT-|MEMB-|IDEM-9/,
    responding((response) =>
      isSuccess(response) ? { ...response, body: { data: response.body } } : undefined,
    ),
  ],
  "times without an offset": [
    /^Times are not written in UTC with Z at the end \([\w, ]*sent_at[\w, ]*\)$/,
    /LOOK-|SCHED-|EVENT-/,
    responding((response) => ({
      ...response,
      body: mapped(response.body, (text) =>
        /^\d{4}-\d\d-\d\dT/.test(text) ? text.replace(/(\.\d+)?Z$/, "") : text,
      ),
    })),
    /found \w+_at is (\S+T\d\d:\d\d:\d\d), without an offset: write \1Z/,
  ],
  "properties in camelCase": [
    /^Properties have other names than in the document/,
    /LIST-|LOOK-|MEMB-|ERR-/,
    responding((response) => ({
      ...response,
      body: JSON.parse(
        JSON.stringify(response.body ?? null).replaceAll(/"\w+":/g, (name) =>
          name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase()),
        ),
      ),
    })),
  ],
  "a renamed header": [
    /^The header x-service-request-id is missing$/,
    /ERR-|LIST-/,
    responding(({ headers: { "x-service-request-id": id = "", ...headers }, ...response }) => ({
      ...response,
      headers: { ...headers, "x-request-id": id },
    })),
    /no such header; there is x-request-id: req_/,
  ],
  "idempotency keys ignored": [
    /^Requests with the same Idempotency-Key are handled as new ones$/,
    /IDEM-[1278]/,
    ({ headers: { "idempotency-key": _, ...headers }, ...request }, next) => next({ ...request, headers }),
  ],
  "errors without the error object": [
    /^Errors have another body than the error object of the document$/,
    /ERR-|AUTH-1|SEND-/,
    responding((response) => (response.status < 400 ? undefined : { ...response, body: { detail: "No." } })),
  ],
  "errors without error.fields": [
    /^Errors of invalid fields do not name them in error.fields$/,
    /ERR-|SEND-|CONT-/,
    responding((response) => {
      const { fields: _, ...error } = errorIn(response) ?? {};
      return response.status === 422 ? { ...response, body: { error } } : undefined;
    }),
  ],
  "texts in place of lists in error.fields": [
    /^Entries of error.fields are not lists of texts$/,
    /ERR-|SEND-|CONT-/,
    responding((response) => {
      const { fields, ...error } = errorIn(response) ?? {};
      if (response.status !== 422 || fields === undefined) return undefined;
      return { ...response, body: { error: { ...error, fields: mapValues(fields, String) } } };
    }),
  ],
  "names in error.fields that are no properties": [
    /^error.fields has input, which the document does not have$/,
    /ERR-10|CONT-5|SEND-3$/,
    responding((response) => {
      const { fields, ...error } = errorIn(response) ?? {};
      if (response.status !== 422 || fields === undefined) return undefined;
      return { ...response, body: { error: { ...error, fields: { input: ["Is invalid."] } } } };
    }),
  ],
  "another error type": [
    /^Errors have the type idempotency_key_reused, which the document does not have$/,
    /IDEM-2/,
    responding((response) =>
      errorIn(response)?.type === "idempotency_conflict"
        ? {
            ...response,
            body: mapped(response.body, (text) =>
              text.replace("idempotency_conflict", "idempotency_key_reused"),
            ),
          }
        : undefined,
    ),
    /addition error type idempotency_key_reused, which is not in the document/,
  ],
  "null left out": [
    /^Properties without a value are left out: return them with the value null$/,
    /LOOK-|MEMB-|SCHED-1/,
    responding((response) => ({
      ...response,
      body: revived(response.body, (_, value) => value ?? undefined),
    })),
  ],
  "400 in place of 422": [
    /^Errors of the type invalid_request have the status 400 in place of 422$/,
    /CONT-|LIST-|ERR-10/,
    responding((response) => (response.status === 422 ? { ...response, status: 400 } : undefined)),
  ],
  "times of another time zone, with Z": [
    /^Some times are 60 minutes ahead of the clock of the server, which the suite reads from the header Date/,
    /MEMB-/,
    responding((response) => ({
      ...response,
      body: revived(response.body, (name, value) =>
        /^(un)?subscribed_at$/.test(name) && typeof value === "string"
          ? new Date(Date.parse(value) + 3_600_000).toISOString()
          : value,
      ),
    })),
  ],
  "a server failure": [
    /^Some requests end in a server failure: 500: "Internal error" \(POST \/api\/v1\/newsletter\/contacts\)$/,
    /CONT-|MEMB-/,
    (request, next) =>
      request.method === "POST" &&
      /\/contacts$/.test(request.path) &&
      JSON.stringify(request.body).includes("first_name")
        ? {
            status: 500,
            headers: { "x-service-request-id": `req_${request.headers.date}` },
            body: undefined,
            text: "Internal error.",
          }
        : next(request),
  ],
  "a server failure of everything": [
    /^Some requests end in a server failure: 500: "No database" \([A-Z]+ \S+, [A-Z]+ \S+, [A-Z]+ \S+ and \d+ more\)$/,
    /CONT-|MEMB-|LOOK-/,
    () => {
      const { status: _, body: __, ...response } = rejection("", "");
      const request_id = response.headers["x-service-request-id"];
      const error = { type: "internal", message: "No database.", request_id };
      return Promise.resolve({ ...response, status: 500, body: { error } });
    },
  ],
};

/** A change of each record of a message. */
const inRecords = (change: (record: Record<string, unknown>) => object): Interceptor =>
  responding((response, { method, path }) =>
    method === "GET" && /\/emails\//.test(path) && isSuccess(response)
      ? { ...response, body: change(response.body as Record<string, unknown>) }
      : undefined,
  );

/** Servers with one fault that fails several checks, with the requirement that is first, and the cause. */
const single: Record<string, [id: string, cause: string | undefined, grep: RegExp, Interceptor]> = {
  "an error that is a text": [
    "ERR-5",
    "Errors have another body than the error object of the document",
    /ERR-|LOOK-23/,
    responding((response) => (errorIn(response) ? { ...response, body: { error: "No." } } : undefined)),
  ],
  "null left out of records, but not of their events": [
    "LOOK-10",
    "Properties without a value are left out: return them with the value null",
    /LOOK-|DELIV-/,
    inRecords((record) => Object.fromEntries(Object.entries(record).filter(([, value]) => value !== null))),
  ],
  "the id of a scheduled message without sched_": [
    "SCHED-3",
    'id must match pattern "^sched_.*$"',
    /SCHED-[345]\b|LOOK-9/,
    async (request, next) => {
      const response = await next({ ...request, path: request.path.replace("/msg_s_", "/sched_") });
      return { ...response, body: mapped(response.body, (text) => text.replace(/^sched_/, "msg_s_")) };
    },
  ],
  "times as numbers": [
    "SCHED-4",
    "Times are numbers: write them as texts, in UTC with Z at the end",
    /LOOK-|DELIV-|EVENT-|SCHED-/,
    responding((response) => ({
      ...response,
      body: revived(response.body, (name, value) =>
        /(^|_)at$/.test(name) && typeof value === "string" ? Date.parse(value) / 1000 : value,
      ),
    })),
  ],
  "a number as the id": [
    "SEND-31",
    "id must be string",
    /AUTH-4|SEND-1\b|SEND-3[0-4]|LOOK-[1-9]\b/,
    responding((response, { method }) =>
      method === "POST" && isSuccess(response)
        ? { ...response, body: { ...(response.body as object), id: 3 } }
        : undefined,
    ),
  ],
  "a list in error.fields": [
    "ERR-1",
    "Entries of error.fields are not lists of texts",
    /ERR-|SEND-\d\b/,
    responding((response) => {
      const { fields, ...error } = errorIn(response) ?? {};
      if (fields === undefined) return undefined;
      return { ...response, body: { error: { ...error, fields: Object.keys(fields) } } };
    }),
  ],
  "a page in place of an error": [
    "GEN-4",
    "Bodies are not JSON",
    /LOOK-23|AUTH-2|ERR-/,
    responding((response, { path }) =>
      response.status === 404 && /\/emails\//.test(path)
        ? {
            ...response,
            headers: { ...response.headers, "content-type": "text/html" },
            body: undefined,
            text: "<p>No</p>",
          }
        : undefined,
    ),
  ],
  "tags that are lost": ["LOOK-6", undefined, /LOOK-6/, inRecords((record) => ({ ...record, tags: {} }))],
  "tags as a list": [
    "LOOK-6",
    "tags must be object",
    /LOOK-6/,
    inRecords((record) => ({ ...record, tags: Object.entries(record.tags ?? {}) })),
  ],
  "a bounce without its text in the event": [
    "EVENT-3",
    "detail is null where it must not be",
    /EVENT-3/,
    inRecords(({ events, ...record }) => ({
      ...record,
      events: (events as object[]).map((event) => ({ ...event, detail: null })),
    })),
  ],
  "objects in to": [
    "SEND-33",
    "to must be string",
    /SEND-3[345]/,
    responding((response, { method }) => {
      const { to, ...body } = (response.body ?? {}) as { to?: string[] };
      if (method !== "POST" || to === undefined) return undefined;
      return { ...response, body: { ...body, to: to.map((email) => ({ email })) } };
    }),
  ],
  "remaining requests that stay the same": [
    "HEAD-7",
    "x-ratelimit-remaining does not decrease with each request",
    /HEAD-7|LIMIT-[234]/,
    responding((response) =>
      "x-ratelimit-remaining" in response.headers
        ? {
            ...response,
            headers: {
              ...response.headers,
              "x-ratelimit-remaining": response.headers["x-ratelimit-limit"] ?? "",
            },
          }
        : undefined,
    ),
  ],
  "a message without the time of sending": [
    "LOOK-10",
    "sent_at is null where it must not be",
    /LOOK-10|DELIV-[25]|SCHED-20/,
    inRecords((record) => ({ ...record, sent_at: null })),
  ],
};

const largest = ([first]: Finding[]): Finding => {
  if (first === undefined) throw new Error("nothing fails");
  return first;
};

describe("failures with one cause are one finding", () => {
  test.for(Object.entries(servers))("%s", async ([, [cause, grep, intercept, shown = /./]]) => {
    const result = await resultFor(intercept, grep);
    const findings = diagnose(result);
    const finding = largest(findings);
    expect(finding.cause).toMatch(cause);
    const checks = new Set(finding.cases.map(({ ids, check }) => [...ids, check].join(" ")));
    expect(checks.size).toBeGreaterThan(1);
    // What else fails is a small part.
    expect(findings.length).toBeLessThanOrEqual(3);
    const text = textOf(result);
    expect(inOneLine(text)).toContain(`cause ${finding.cause}`);
    expect(inOneLine(text)).toMatch(shown);
    expect(inOneLine(text)).toContain(`Also fails: ${checks.size - 1} more check`);
    expect(
      text.split("\n").filter((line) => line.length > 80 && !/^ {2}(npx|curl| {2}-)/.test(line)),
    ).toEqual([]);
    for (const report of [htmlReport(result), markdownReport(result), junitReport(result)])
      expect(report.replaceAll(/\\|&quot;|"/g, "")).toContain(
        finding.cause?.replaceAll('"', "").slice(0, 45),
      );
    const annotations = annotationsReport(result)
      .split("\n")
      .filter((line) => line.startsWith("::error"));
    expect(annotations).toHaveLength(findings.length);
    expect(annotations[0]).toContain("also fails: ");
  });

  test.for(Object.entries(single))(
    "%s is one finding, and leads with it",
    async ([, [id, cause, grep, intercept]]) => {
      const findings = diagnose(await resultFor(intercept, grep));
      expect(findings.map(({ ids, cause: found }) => [ids[0], found])).toEqual([[id, cause]]);
    },
  );

  test("what is used in place of what remains of the quota is one finding", async () => {
    const name = "x-service-monthly-remaining";
    const intercept = responding((response) => {
      const used = String(
        Number(response.headers["x-service-monthly-quota"]) - Number(response.headers[name]),
      );
      return name in response.headers
        ? { ...response, headers: { ...response.headers, [name]: used } }
        : undefined;
    });
    const findings = diagnose(await resultFor(intercept, /HEAD-4|LIMIT-5/));
    expect(findings.map(({ cause }) => cause)).toEqual([
      "x-service-monthly-remaining increases with a send: return what is left",
    ]);
  });

  test("a property that accepts a text comes before what follows for error.fields", async () => {
    const intercept: Interceptor = (request, next) => {
      const { to } = (request.body ?? {}) as { to?: unknown };
      return typeof to === "string"
        ? next({
            ...request,
            body: { ...(request.body as object), to: [to.replace("not a list", "a@b.example")] },
          })
        : next(request);
    };
    const findings = diagnose(await resultFor(intercept, /ERR-10|SEND-6/));
    expect(findings[0]?.ids[0]).toBe("SEND-6");
  });

  test("messages that get the same id are one finding", async () => {
    let last = "";
    const intercept: Interceptor = async (request, next) => {
      const response = await next({ ...request, path: request.path.replace("/msg_same", `/${last}`) });
      const { id } = (response.body ?? {}) as { id?: string };
      if (!id?.startsWith("msg_")) return response;
      if (request.method === "POST") last = id;
      return { ...response, body: { ...(response.body as object), id: "msg_same" } };
    };
    const findings = diagnose(await resultFor(intercept, /LOOK-[1-6]\b|SEND-1\b|SIM-[1-4]|DELIV-/));
    expect(findings.map(({ cause }) => cause)).toEqual(["Several messages have the same id"]);
  });

  test("a simulated recipient that is rejected at once is to be accepted, and never to be delivered to", async () => {
    const intercept: Interceptor = (request, next) =>
      JSON.stringify(request.body ?? {}).includes(`"to":["suppressionlist@`)
        ? Promise.resolve(rejection("to", "Is suppressed."))
        : next(request);
    const text = inOneLine(textOf(await resultFor(intercept, /SIM-4/)));
    expect(text).toContain("expected success: a message that is accepted, and never delivered");
  });

  test("a correct server has none", async () => {
    expect(diagnose(await resultFor((request, next) => next(request), /LOOK-|IDEM-/))).toEqual([]);
  });

  test("a property that is always missing is not a null that was left out, and has one finding", async () => {
    const intercept = responding((response) => ({
      ...response,
      body: revived(response.body, (name, value) =>
        name === "last_name" && isSuccess(response) ? undefined : value,
      ),
    }));
    const findings = diagnose(await resultFor(intercept, /MEMB-[56]|CONT-/));
    expect(findings.map(({ cause }) => cause)).toEqual(["last_name is missing in every response"]);
    const checks = new Set(findings[0]?.cases.map(({ check }) => check));
    expect([...checks]).toEqual([
      "A membership has `last_name`, a string or null",
      "a membership has any names",
    ]);
  });

  test("what the requirement itself names comes first, and the rest is named with it", async () => {
    const intercept = responding((response) => ({
      ...response,
      body: revived(response.body, (name, value) => (name === "marketing_blocked" ? false : value)),
    }));
    const [first] = diagnose(await resultFor(intercept, /IDEM-3|UNSUB-|CONT-24/, "newsletter"));
    expect(first?.ids.slice(0, 2)).toEqual(["UNSUB-2", "CONT-24"]);
    expect(first?.ids).toEqual(expect.arrayContaining(["IDEM-3", "UNSUB-10"]));
  });

  test("an operation that does not exist explains what looks it up, and how to take it out is said", async () => {
    const error = (id: string) => ({ type: "not_implemented", message: "Not yet.", request_id: id });
    let number = 0;
    const intercept: Interceptor = (request, next) => {
      if (request.method !== "GET" || !/\/contacts\/./.test(request.path)) return next(request);
      number += 1;
      const headers = { "content-type": "application/json", "x-service-request-id": `req_${number}` };
      return Promise.resolve({ status: 501, headers, body: { error: error(`req_${number}`) } });
    };
    const result = await resultFor(intercept, /ERR-10|CONT-2\d|UNSUB-/, "newsletter");
    const causes = diagnose(result).map(({ cause }) => cause);
    expect(causes).toEqual([
      "GET /api/v1/newsletter/contacts/{email} always responds with 501 not_implemented",
    ]);
    for (const report of [textOf, htmlReport])
      expect(inOneLine(report(result))).toContain("notImplemented: [getContact]");
  });

  test("a list of the configuration that the server does not have is named with its setting", async () => {
    const settings = demoSettings("core");
    const wrong = { ...settings, fixtures: { ...settings.fixtures, lists: { plain: 99, second: 3 } } };
    const plans = [planOf(wrong, /CONT-2\d|UNSUB-/)];
    const [first] = diagnose(resultOf(await runOnSandbox({ plans, settings: wrong }), []));
    expect(first?.cause).toMatch(
      /^Valid requests to POST \S+ are rejected with 404 not_found: ".*": is lists\.plain \(99\) of the configuration right\?$/,
    );
  });

  test("keys that are forgotten at some time are not said to be unknown in all requests", async () => {
    const seen = new Set<string>();
    // Each second replay of a key is handled as a new request.
    const intercept: Interceptor = (request, next) => {
      const { "idempotency-key": key, ...headers } = request.headers;
      if (key === undefined || !seen.delete(key)) {
        if (key !== undefined && seen.size === 0) seen.add(key);
        return next(request);
      }
      return next({ ...request, headers });
    };
    const [first] = diagnose(await resultFor(intercept, /IDEM-[178]/, "full"));
    expect(first?.cause).toBe(
      "Requests with the same Idempotency-Key are handled as new ones, others are replayed",
    );
  });

  test("tags that are changed are one finding, led by the comparison of sent and received", async () => {
    const intercept = responding((response, { method }) => {
      const body = response.body as { tags?: object } | undefined;
      return method === "GET" && body?.tags
        ? {
            ...response,
            body: { ...body, tags: mapValues(body.tags, (text) => String(text).padEnd(129, "-")) },
          }
        : undefined;
    });
    const [first, ...others] = diagnose(await resultFor(intercept, /LOOK-6|SEND-1[0-9]/, "full"));
    expect([first?.ids[0], first?.cause]).toEqual(["LOOK-6", undefined]);
    const causes = others.flatMap(({ cause }) => cause ?? []);
    expect(causes).toEqual(["An entry of tags must NOT have more than 128 characters"]);
  });

  test("a random sequence leads with the requirement on what broke the state", async () => {
    const intercept: Interceptor = async (request, next) => {
      const response = await next(request);
      if (response.status !== 409 || !/contacts$/.test(request.path)) return response;
      const { "idempotency-key": _, ...headers } = request.headers;
      await next({ ...request, headers });
      return response;
    };
    const [first] = diagnose(
      await resultFor(intercept, /random sequences of newsletter requests have/, "full"),
    );
    expect(first?.ids[0]).toBe("IDEM-2");
  });

  test("a rejection for a suppressed recipient names it", async () => {
    const suppressed = {
      type: "send_rejected",
      message: "All recipients are suppressed.",
      request_id: "req_1",
    };
    const intercept: Interceptor = (request, next) =>
      JSON.stringify(request.body ?? {}).includes(`"to":["bounce@`)
        ? { status: 422, headers: { "x-service-request-id": "req_1" }, body: { error: suppressed } }
        : next(request);
    const causes = diagnose(await resultFor(intercept, /DELIV-[56]/)).map(({ cause }) => cause);
    expect(causes.join()).toMatch(
      /rejected with 422 send_rejected: "All recipients are suppressed" \(recipients: bounce@[\w.]+\)/,
    );
  });

  test("a request with an idempotency key whose time is over is no repetition", () => {
    const hour = 3_600_000;
    const made = (id: string, serverTime: number): Exchange => ({
      request: { operation: "sendEmail", method: "POST", path: "/api/v1/emails" },
      sent: { headers: { "Idempotency-Key": "order-1" }, text: "{}" },
      ...{ status: 202, headers: {}, text: id, json: { id }, startedAt: 0, serverTime, milliseconds: 1 },
    });
    const causeAfter = (hours: number) => {
      const exchanges = [made("msg_1", 0), made("msg_2", hours * hour)];
      const failure = new AssertionFailure(exchanges[1], { expected: "status delivered", found: "sent" });
      return causeOf(failure, ["SIM-1"], exchanges);
    };
    expect(causeAfter(1)).toBe("Requests with the same Idempotency-Key are handled as new ones");
    expect(causeAfter(48)).toBeUndefined();
  });

  test("failures of one kind of random sequences name the requirements of all", () => {
    const failing = (ids: string[]) =>
      outcome({
        ids,
        check: "random sequences of newsletter requests have the responses that the requirements allow",
        verdict: "fail",
        failure: { expected: `subscribed_at "a"`, found: `subscribed_at "b"`, exchange: 0, seed: 1 },
      });
    const result = resultOf([failing(["MEMB-9", "CONT-2"]), failing(["MEMB-9", "CONT-14"])], []);
    const text = inOneLine(textOf(result));
    expect(text).toContain("Also fails: 1 more check of CONT-14.");
    expect(text).toContain("Exit code 1: 3 requirements fail.");
    expect(htmlReport(result)).toContain("2 of 3 requirements that fail");
    const same = resultOf([failing(["MEMB-9"]), outcome({ ...failing(["MEMB-9"]), check: "another" })], []);
    expect(inOneLine(textOf(same))).toContain("Also fails: 1 more check of MEMB-9.");
  });

  test("two faults of one response are two findings", async () => {
    const intercept = responding((response, { path }) =>
      /\/emails\/msg_/.test(path) && isSuccess(response)
        ? { ...response, body: { ...(response.body as object), from: "a@b.example", subject: "Another." } }
        : undefined,
    );
    const findings = diagnose(await resultFor(intercept, /LOOK-[35]/));
    // A case with all values of a property compares it in another way.
    expect([...new Set(findings.map(({ ids }) => ids.join()))].sort()).toEqual(["LOOK-3", "LOOK-5"]);
  });

  test("two properties that accept too much are two findings", async () => {
    const { emails: _, ...ok } = { emails: 0, status: 202 };
    const intercept: Interceptor = async (request, next) => {
      const response = await next(request);
      const fields = Object.keys(errorIn(response)?.fields ?? {});
      return fields.some((name) => /^(reply_to|subject)/.test(name))
        ? { ...response, ...ok, body: { id: "msg_1", to: [], suppressed: [] } }
        : response;
    };
    const findings = diagnose(await resultFor(intercept, /SEND-[89]\b/, "full"));
    expect(findings.map(({ ids: [id] }) => id)).toEqual(expect.arrayContaining(["SEND-8", "SEND-9"]));
  });
});
