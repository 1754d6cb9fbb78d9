import { describe, expect, onTestFinished, test, vi } from "vitest";
import { diagnose } from "../../../contract/report/causes.ts";
import { findingInShort } from "../../../contract/report/finding-text.ts";
import { htmlReport } from "../../../contract/report/html.ts";
import { junitReport } from "../../../contract/report/junit.ts";
import { markdownReport } from "../../../contract/report/markdown.ts";
import { contrasted } from "../../../contract/text.ts";
import { printResult } from "../../../scripts/contract/output.ts";
import { demoSettings } from "../../mutants/demo.ts";
import type { Interceptor, MutantResponse } from "../../mutants/mutant.ts";
import { errorIn, inOneLine, isSuccess, mapped, rejection, responding, resultFor, textOf } from "./faults.ts";
import { outcome, resultOf, sampleExchange } from "./samples.ts";

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
    expect(junitReport(result)).toContain("  before    POST /api/v1/emails");
  });

  test("the role of a key that is rejected, and in short how many requirements fail because of it", () => {
    const failure = { expected: "a", found: "b", cause: "Valid requests are rejected with 401", exchange: 0 };
    const outcomes = [["SEND-1"], ["SEND-2", "SEND-3"]].map((ids) =>
      outcome({ ids, verdict: "fail", failure }),
    );
    const [finding] = diagnose(resultOf(outcomes, []));
    expect(finding?.cause).toBe("Valid requests are rejected with 401 (keys.sendOnly)");
    const short = inOneLine(finding ? findingInShort(finding) : "");
    expect(short).toMatch(/\(keys\.sendOnly\); [12] more requirements? fails?$/);
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

  test("a value of another type", async () => {
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

  test("the name of the property in the request: only a batch has it in emails", async () => {
    const intercept = responding((response) =>
      errorIn(response)?.fields === undefined
        ? undefined
        : { ...response, body: { error: { ...errorIn(response), fields: { to: ["Is missing."] } } } },
    );
    const text = inOneLine(textOf(await resultFor(intercept, /SEND-14/)));
    expect(text).toContain("expected error.fields with entries for template_id alone found an entry for to");
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
    const before = resultOf(
      [
        outcome({
          verdict: "fail",
          failure: { expected: "a", found: "b", exchange: 2 },
          exchanges: [
            { ...sampleExchange, atOnce: true },
            { ...sampleExchange, atOnce: true },
            sampleExchange,
          ],
        }),
      ],
      [],
    );
    expect(textOf(before)).toMatch(/before .*\(sendOnly\) at once: 200 \(2 times\)/);
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
      /expected x-service-monthly-remaining \d+: \d+ before, less 8 \(7 of requests before \(the first: 1 in to; 2 in to, 2 in cc, 2 in bcc\), 1 of this send\)/,
    );
    const [, found] = /found x-service-monthly-remaining (\d+): 6 counted/.exec(text) ?? [];
    expect(text).toMatch(new RegExp(`headers .*x-service-monthly-remaining: ${found}; .*response 202`));
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
    expect(text).toMatch(/expected +a mail with X-Contract-\d+:\s/);
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
      /expected the message as before the rejected request: scheduled_at ("20\S*"|null) found scheduled_at "20/,
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
    const result = resultOf(
      [
        outcome({
          verdict: "fail",
          exchanges: [{ ...sampleExchange, call }],
          failure: { expected: "the body of the call", found: "variables.a is missing", exchange: 0 },
        }),
      ],
      [],
    );
    expect(inOneLine(textOf(result))).toMatch(/call {"to":"x[x ]+\.\.\. "variables":{"a":1}}/);
  });

  test("the custom field that has another value", async () => {
    const intercept = responding((response, { path }) =>
      /\/contacts/.test(path)
        ? { ...response, body: mapped(response.body, (text) => text.replaceAll("&amp;", "&")) }
        : undefined,
    );
    const result = await resultFor(intercept, /values of custom fields/, "full");
    expect(inOneLine(textOf(result))).toMatch(
      / expected fields\.\w+ "[^"]*&amp;.*" found "[^"]*&(?!amp;).*"/,
    );
  });

  test("text from right to left on its own, and first the requirement that shows the failure", () => {
    const failure = { expected: 'subject "رحبا (1)"', found: '"bread"', exchange: 0 };
    const page = htmlReport(resultOf([outcome({ ids: ["SEND-8", "LOOK-5"], verdict: "fail", failure })], []));
    expect(page).toContain("subject <bdi>&quot;رحبا (1)&quot;</bdi></dd>");
    expect(page).toContain('<dd class="found">&quot;bread&quot;</dd>');
    const places = ['id="SEND-8"', 'id="LOOK-5"'].map((text) => page.indexOf(text));
    expect(places).toEqual(places.toSorted((one, other) => one - other));
  });

  test("the requirement that is about the rejected property, not one whose check only prepares with it", async () => {
    const numberOf = (body: unknown): number => {
      const { to, cc, bcc } = (body ?? {}) as Record<string, string[] | undefined>;
      return [to, cc, bcc].flatMap((one) => one ?? []).length;
    };
    const intercept: Interceptor = (request, next) =>
      /emails$/.test(request.path) && numberOf(request.body) > 100
        ? Promise.resolve(rejection("to", "Must not have more than 100 recipients in all."))
        : next(request);
    const result = await resultFor(intercept, /BATCH-7|LIMIT-5|SEND-7|LOOK-[346]\b/, "full");
    const [finding, ...others] = diagnose(result);
    expect(finding?.first.ids[0]).toBe("SEND-7");
    expect(finding?.ids).toEqual(expect.arrayContaining(["LOOK-3", "LOOK-4", "LOOK-6", "LIMIT-5"]));
    expect(others).toEqual([]);
  });

  test("how much of a long text is left", () => {
    expect(contrasted("a".repeat(255), "a".repeat(499))).toBe("its first 255 of 499 characters");
    expect(contrasted("abc", "abcd")).toBe('"abc"');
    expect(contrasted("\u212b", "\u00c5")).toBe('"\\u{212b}"');
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
});
