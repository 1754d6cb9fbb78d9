import { stripVTControlCharacters } from "node:util";
import { describe, expect, onTestFinished, test, vi } from "vitest";
import { planOf } from "../../../contract/plan.ts";
import { annotationsReport } from "../../../contract/report/annotations.ts";
import { diagnose, type Finding } from "../../../contract/report/causes.ts";
import { consoleText } from "../../../contract/report/console.ts";
import { htmlReport } from "../../../contract/report/html.ts";
import { junitReport } from "../../../contract/report/junit.ts";
import { markdownReport } from "../../../contract/report/markdown.ts";
import type { ContractResult } from "../../../contract/report/result.ts";
import { contrasted } from "../../../contract/text.ts";
import { printResult } from "../../../scripts/contract/output.ts";
import { demoSettings } from "../../mutants/demo.ts";
import { runOnSandbox } from "../../mutants/harness.ts";
import type { Interceptor, MutantRequest, MutantResponse } from "../../mutants/mutant.ts";
import { outcome, resultOf, sampleExchange } from "./samples.ts";

type Change = (response: MutantResponse, request: MutantRequest) => MutantResponse | undefined;
const responding =
  (change: Change): Interceptor =>
  async (request, next) => {
    const response = await next(request);
    return change(response, request) ?? response;
  };

const isSuccess = ({ status }: MutantResponse): boolean => status < 300;
const errorIn = ({ body }: MutantResponse) =>
  (body as { error?: { type: string; fields?: object } } | undefined)?.error;

/** The texts of a body changed by a function, or null to leave one out. */
const mapped = (value: unknown, change: (text: string) => string): unknown =>
  JSON.parse(JSON.stringify(value ?? null), (_, inner: unknown) =>
    typeof inner === "string" ? change(inner) : inner,
  );

let count = 0;
const rejection = (field: string, text: string): MutantResponse => {
  count += 1;
  const error = { type: "invalid_request", message: "Invalid.", fields: { [field]: [text] } };
  return {
    status: 422,
    headers: { "content-type": "application/json", "x-service-request-id": `req_${count}` },
    body: { error: { ...error, request_id: `req_${count}` } },
  };
};

/** Servers with one fault that fails many requirements, with its cause. */
const servers: Record<string, [cause: RegExp, grep: RegExp, Interceptor]> = {
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
    /LIST-|LOOK-|CONT-|MEMB-/,
    responding((response) =>
      isSuccess(response) ? { ...response, body: { data: response.body } } : undefined,
    ),
  ],
  "times without an offset": [
    /^Times are not written in UTC with Z at the end$/,
    /LOOK-|SCHED-|EVENT-/,
    responding((response) => ({
      ...response,
      body: mapped(response.body, (text) =>
        /^\d{4}-\d\d-\d\dT/.test(text) ? text.replace(/(\.\d+)?Z$/, "") : text,
      ),
    })),
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
  ],
  "idempotency keys ignored": [
    /^Requests with a known Idempotency-Key are handled as new ones$/,
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
  ],
  "null left out": [
    /^Properties without a value are left out: return them with the value null$/,
    /LOOK-|MEMB-|SCHED-1/,
    responding((response) => ({
      ...response,
      body: JSON.parse(JSON.stringify(response.body ?? {}), (_, value: unknown) => value ?? undefined),
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
      body: JSON.parse(JSON.stringify(response.body ?? {}), (name, value: unknown) =>
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

async function resultFor(
  intercept: Interceptor,
  grep: RegExp,
  profile: "core" | "full" | "newsletter" = "core",
) {
  const plans = [planOf(demoSettings(profile), grep)];
  return resultOf(await runOnSandbox({ intercept: () => intercept, plans }), []);
}

const textOf = (result: ContractResult): string => stripVTControlCharacters(consoleText(result));
const inOneLine = (text: string): string => text.replaceAll(/\s+/g, " ");
const largest = ([first]: Finding[]): Finding => {
  if (first === undefined) throw new Error("nothing fails");
  return first;
};

describe("failures with one cause are one finding", () => {
  test.for(Object.entries(servers))("%s", async ([, [cause, grep, intercept]]) => {
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
    expect(inOneLine(text)).toContain(`Also fails: ${checks.size - 1} more check`);
    expect(
      text.split("\n").filter((line) => line.length > 80 && !/^ {2}(npx|curl| {2}-)/.test(line)),
    ).toEqual([]);
    for (const report of [htmlReport(result), markdownReport(result), junitReport(result)])
      expect(report.replaceAll(/\\|&quot;|"/g, "")).toContain(
        finding.cause?.replaceAll('"', "").slice(0, 50),
      );
    const annotations = annotationsReport(result)
      .split("\n")
      .filter((line) => line.startsWith("::error"));
    expect(annotations).toHaveLength(findings.length);
    expect(annotations[0]).toContain("also fails: ");
  });

  test("a correct server has none", async () => {
    expect(diagnose(await resultFor((request, next) => next(request), /LOOK-|IDEM-/))).toEqual([]);
  });

  test("a property that is always missing is not a null that was left out, and has one finding", async () => {
    const intercept = responding((response) => ({
      ...response,
      body: JSON.parse(JSON.stringify(response.body ?? {}), (name, value: unknown) =>
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
    const intercept = responding(({ body, ...response }) => ({
      ...response,
      body: JSON.parse(JSON.stringify(body ?? {}), (name, value: unknown) =>
        name === "marketing_blocked" ? false : value,
      ),
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

describe("a finding shows what is needed to fix it", () => {
  test("the requests before the failing one, a line each, with polling in one", () => {
    const step = (method: string, path: string, status: number) => ({
      ...sampleExchange,
      method,
      path,
      response: { ...sampleExchange.response, status },
    });
    const polls = [1, 2, 3].map(() => step("GET", "/api/v1/emails/msg_1", 200));
    const exchanges = [
      step("POST", "/api/v1/emails", 202),
      ...polls,
      step("DELETE", "/api/v1/emails/msg_1", 409),
    ];
    const failure = { expected: "success", found: "status 409", exchange: 4 };
    const result = resultOf([outcome({ verdict: "fail", failure, exchanges })], []);
    const text = textOf(result);
    expect(text).toMatch(/^ {2}before {4}POST \/api\/v1\/emails \{"subject":"It's"\} \(sendOnly\): 202$/m);
    expect(inOneLine(text)).toContain(
      'before GET /api/v1/emails/msg_1 {"subject":"It... (sendOnly): 200 (3 times)',
    );
    expect(text).toMatch(/^ {2}request {3}DELETE \/api\/v1\/emails\/msg_1$/m);
    expect(markdownReport(result)).toContain("POST /api/v1/emails");
    expect(junitReport(result)).toContain("before: POST /api/v1/emails");
  });

  test("the property in a long body, and the headers if the failure is about one", () => {
    const body = JSON.stringify({
      id: "msg_1",
      text: "x".repeat(2000),
      sent_at: "yesterday",
      more: "y".repeat(2000),
    });
    const exchange = { ...sampleExchange, response: { status: 200, headers: { "x-a": "b" }, body } };
    const shown = (expected: string, found: string): string =>
      inOneLine(
        textOf(
          resultOf(
            [outcome({ verdict: "fail", failure: { expected, found, exchange: 0 }, exchanges: [exchange] })],
            [],
          ),
        ),
      );
    const text = shown("sent_at in UTC", "sent_at is yesterday");
    expect(text).toContain('"sent_at":"yesterday"');
    expect(text).not.toContain("headers");
    expect(shown("the header x-c", "no such header")).toContain("headers x-a: b");
  });

  test("a time with how to write it, a wrong value, and the header that a missing one may be", async () => {
    const times = servers["times without an offset"]?.[2] as Interceptor;
    expect(inOneLine(textOf(await resultFor(times, /SCHED-4/)))).toMatch(
      /found \w+_at is (\S+T\d\d:\d\d:\d\d), without an offset: write \1Z/,
    );
    const renamed = servers["a renamed header"]?.[2] as Interceptor;
    expect(inOneLine(textOf(await resultFor(renamed, /LIST-1/)))).toContain(
      "no such header; there is x-request-id: req_",
    );
    const texts = responding((response, { path }) =>
      /\/lists$/.test(path)
        ? {
            ...response,
            body: JSON.parse(JSON.stringify(response.body).replaceAll(/"id":(\d+)/g, '"id":"$1"')),
          }
        : undefined,
    );
    expect(inOneLine(textOf(await resultFor(texts, /LIST-1/)))).toContain(
      'found lists.0.id is "1", which must be integer',
    );
  });

  test("the name that was changed, and not both", async () => {
    const intercept = responding((response, { method }) => {
      const { last_name: name } = Object(response.body);
      const last_name = String(name).replaceAll("'", "&#39;");
      return method === "POST" && response.status === 200 && typeof name === "string"
        ? { ...response, body: { ...Object(response.body), last_name } }
        : undefined;
    });
    const text = textOf(await resultFor(intercept, /MEMB-6/, "full"));
    expect(text).toMatch(/^ {2}expected {2}last_name "/m);
  });

  test("how long the clock was advanced, and which message was not found", async () => {
    const intercept = responding((response) =>
      (response.body as { bounced_at?: unknown } | undefined)?.bounced_at
        ? { ...rejection("", ""), status: 404 }
        : undefined,
    );
    const text = inOneLine(textOf(await resultFor(intercept, /LOOK-22/, "full")));
    expect(text).toContain("expected success for a message to bounce@, 29 d 23 h after it was sent");
    expect(text).toContain('hook advanceClock {"seconds":2588400} (29 d 23 h)');
  });

  test("one odd thing of a request that ends in a server failure", async () => {
    const intercept: Interceptor = (request, next) =>
      request.method === "DELETE" && request.body !== undefined
        ? { ...rejection("", ""), status: 500 }
        : next(request);
    const result = await resultFor(intercept, /ERR-13/, "full");
    const text = textOf(result);
    expect(text).toMatch(/^ {2}request {3}DELETE \S+\/emails\/sched_\w+$/m);
    expect(text).toMatch(/--data-raw '\{"reason":/);
  });

  test("requests at the same time say so", () => {
    const exchanges = [sampleExchange, { ...sampleExchange, atOnce: true }];
    const failure = { expected: "a", found: "b", exchange: 1, first: 0 };
    const result = resultOf([outcome({ verdict: "fail", failure, exchanges })], []);
    for (const report of [textOf, junitReport, markdownReport, htmlReport])
      expect(report(result).match(/at once\W/gi)).toHaveLength(1);
  });

  test("the key of a request that no key was issued for, but not one that is nearly a key", async () => {
    const accepting: Interceptor = (request, next) =>
      next({
        ...request,
        headers: { ...request.headers, authorization: `Bearer ${demoSettings().keys.full}` },
      });
    const core = textOf(await resultFor(accepting, /AUTH-13/));
    expect(core).toMatch(/-H 'authorization: Bearer contract_unknown_proof-\d+'/);
    const similar = JSON.stringify(await resultFor(accepting, /AUTH-13/, "full"));
    expect(similar).toContain("Bearer ***");
    expect(similar.toUpperCase()).not.toContain(demoSettings().keys.full?.toUpperCase());
  });

  test("a missing body as a fault of the response, not of the key", async () => {
    const intercept = responding((response, { method }) =>
      method === "DELETE" && isSuccess(response) ? { ...response, status: 204, body: undefined } : undefined,
    );
    const [first] = diagnose(await resultFor(intercept, /SCHED-16/));
    expect(first?.cause).toBe("Responses lack the body that the document describes");
    expect(first?.ids).toContain("SCHED-15");
    expect(first?.ids).not.toContain("AUTH-8");
  });

  test("both amounts of a wrong allowance, and the batch", async () => {
    let off = 0;
    const intercept = responding((response, { body }) => {
      const name = "x-service-monthly-remaining";
      if (response.headers[name] === undefined) return undefined;
      const { emails = [body] } = body as { emails?: unknown[] };
      off += emails.flatMap((one) => (one as { bcc?: string[] }).bcc ?? []).length;
      return {
        ...response,
        headers: { ...response.headers, [name]: String(Number(response.headers[name]) + off) },
      };
    });
    const text = inOneLine(textOf(await resultFor(intercept, /LIMIT-5/)));
    expect(text).toMatch(
      /expected x-service-monthly-remaining \d+: \d+ before, less 8 \(7 of sends like this one \(1 in to; 2 in to, 2 in cc, 2 in bcc\), 1 of a send after them\).* request POST \/api\/v1\/emails\/batch/,
    );
    expect(text).toMatch(/found x-service-monthly-remaining \d+: 6 counted/);
    expect(text).toMatch(/before +POST \/api\/v1\/emails\/batch /);
  });

  test("each of the requests at the same time, and only the requirements that the lost value is about", async () => {
    let running: Promise<MutantResponse> | undefined;
    const losesFields: Interceptor = async (request, next) => {
      const { fields, ...others } = (request.body ?? {}) as { fields?: object };
      if (fields === undefined) return next(request);
      if (running !== undefined) return running.then(() => next({ ...request, body: others }));
      running = new Promise((resolve) => setTimeout(resolve, 20)).then(() => next(request));
      return running.finally(() => {
        running = undefined;
      });
    };
    const result = await resultFor(losesFields, /no update of a contact is lost/);
    const [finding] = diagnose(result);
    expect(finding?.ids).toEqual(["MEMB-16"]);
    for (const report of [textOf, htmlReport, markdownReport, junitReport]) {
      for (const tag of ["contract-bread", "contract-cake"])
        expect(report(result)).toMatch(new RegExp(`tags.{1,20}${tag}.{1,20}\\],`));
    }
    expect(finding?.first.exchanges.map(({ method }) => method)).toEqual(["POST", "POST", "GET"]);
  });

  test("the request that set a wrong value, and the name of a header", async () => {
    const intercept: Interceptor = (request, next) => {
      const { scheduled_at: at, headers } = (request.body ?? {}) as Record<string, unknown>;
      if (request.method === "PATCH" && typeof at === "string")
        return next({ ...request, body: { scheduled_at: at.replace(":30", ":31") } });
      const cut = mapped(headers, (one) => one.slice(0, 100));
      return next(headers ? { ...request, body: { ...(request.body as object), headers: cut } } : request);
    };
    const text = textOf(await resultFor(intercept, /any time that was sent|SEND-24/, "full"));
    expect(text).toMatch(/before +PATCH \/api\/v1\/emails\/sched_/);
    expect(text).toMatch(/expected +a mail with X-Contract-\d+: /);
  });

  test("what a rejected request changed, by the name of the property", async () => {
    const moved = new Map<string, unknown>();
    const intercept: Interceptor = async (request, next) => {
      const response = await next(request);
      const { scheduled_at: at } = (request.body ?? {}) as { scheduled_at?: unknown };
      if (request.method === "PATCH" && response.status === 409) moved.set(request.path, at);
      const time = request.method === "GET" ? moved.get(request.path) : undefined;
      return time ? { ...response, body: { ...(response.body as object), scheduled_at: time } } : response;
    };
    const text = inOneLine(textOf(await resultFor(intercept, /SCHED-19/, "full")));
    expect(text).toMatch(
      /expected the message as before the rejected request: scheduled_at null found scheduled_at "20/,
    );
  });

  test("the status on a list that a rejected unsubscribe changed, and tags that are missing", async () => {
    const intercept: Interceptor = async (request, next) => {
      const response = await next(request);
      const isLeaving = /unsubscribe$/.test(request.path) && response.status === 404;
      if (isLeaving) await next({ ...request, body: {} });
      return response;
    };
    const left = inOneLine(textOf(await resultFor(intercept, /UNSUB-12/)));
    expect(left).toMatch(
      /status on list \d+ as before the rejected request: "subscribed" found "unsubscribed"/,
    );
    const forgetful = responding(({ body, ...response }) => ({
      ...response,
      body: JSON.parse(JSON.stringify(body ?? null).replaceAll('"contract-0",', "")),
    }));
    const tags = inOneLine(textOf(await resultFor(forgetful, /CONT-16/, "full")));
    expect(tags).toContain('expected tags including ["contract-0"] found [');
  });

  test("the quota of sends that are accepted, if a rejected batch uses some", async () => {
    let used = 0;
    const name = "x-service-monthly-remaining";
    const intercept: Interceptor = async (request, next) => {
      const response = await next(request);
      if (/batch$/.test(request.path) && response.status === 422) used += 1;
      const left = Number(response.headers[name]) - used;
      return name in response.headers
        ? { ...response, headers: { ...response.headers, [name]: String(left) } }
        : response;
    };
    expect(inOneLine(textOf(await resultFor(intercept, /BATCH-7/, "full")))).toMatch(
      /monthly-remaining \d+: \d+ before, less 2 \(of accepted sends; what is rejected or replayed counts nothing\)/,
    );
  });

  test("the batch, not only the lookups of its messages, of which there are more than are kept", async () => {
    const intercept = responding((response, { method, path }) => {
      const { tags, ...record } = (response.body ?? {}) as { tags?: { position?: string }; subject?: string };
      return method === "GET" && /\/emails\//.test(path) && tags?.position === "70"
        ? { ...response, body: { ...record, tags, subject: "Another." } }
        : undefined;
    });
    const result = await resultFor(intercept, /the entries of the response are in the order/, "full");
    const [finding] = diagnose(result);
    expect(finding?.first.expected).toMatch(/^subject of emails\.\d+ with /);
    expect(textOf(result)).toMatch(/before +POST \/api\/v1\/emails\/batch/);
  });

  test("the end of a call of a client that shows what is missing", () => {
    const call = {
      line: JSON.stringify({ to: "x".repeat(900), variables: { a: 1 } }),
      reply: "{}",
      attempts: [],
    };
    const [first] = resultOf(
      [
        outcome({
          verdict: "fail",
          exchanges: [{ ...sampleExchange, call }],
          failure: { expected: "the body of the call", found: "variables.a is missing", exchange: 0 },
        }),
      ],
      [],
    ).checks;
    const result = { ...resultOf([], []), checks: [first as NonNullable<typeof first>] };
    expect(inOneLine(textOf(result))).toMatch(/call {"to":"x[x ]+\.\.\. "variables":{"a":1}}/);
  });

  test("how much of a long text is left", () => {
    expect(contrasted("a".repeat(255), "a".repeat(499))).toBe("its first 255 of 499 characters");
    expect(contrasted("abc", "abcd")).toBe('"abc"');
  });

  test("where the complete report is, in one message with the result", async () => {
    const log = vi.spyOn(console, "log").mockImplementation(() => {});
    onTestFinished(() => log.mockRestore());
    const failed = resultOf(
      [outcome({ verdict: "fail", failure: { expected: "a", found: "b", exchange: 0 } })],
      [],
    );
    await printResult(failed, {});
    await printResult(resultOf([outcome({})], []), {});
    const [shown, other] = log.mock.calls.map(([text]) => String(text));
    expect(shown).toMatch(/\nEach failure with all its requests: run again with `--html report.html`\.$/);
    expect(other).not.toContain("--html");
  });

  test("names from a server that are no words", async () => {
    const intercept = responding((response) =>
      errorIn(response)?.type === "not_found" || errorIn(response)?.type === "invalid_request"
        ? {
            ...response,
            body: { error: { ...errorIn(response), type: "(*[\u001b", fields: { "a(+": ["(["] } } },
          }
        : undefined,
    );
    const result = await resultFor(intercept, /LOOK-23|SEND-9|CONT-11/);
    expect(result.counts.error).toBe(0);
    expect(textOf(result)).toContain("Errors have the type (*[\\u{1b}, which the document does not have");
  });

  test("an error type that stands for the expected one", async () => {
    const intercept = servers["another error type"]?.[2] as Interceptor;
    expect(inOneLine(textOf(await resultFor(intercept, /IDEM-2/)))).toContain(
      "addition error type idempotency_key_reused, which is not in the document",
    );
  });
});
