import { globSync, readFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import ts from "typescript";
import { describe, expect, it } from "vitest";
import { redactor } from "../../contract/engine/secrets.ts";
import { Credentials } from "../../contract/observe/credentials.ts";
import { Observer } from "../../contract/observe/observer.ts";
import { consoleText } from "../../contract/report/console.ts";
import { maskedTexts } from "../../contract/report/mask.ts";
import { writeReports } from "../../contract/report/write.ts";
import { root } from "../../scripts/common/paths.ts";
import { resultOf } from "../../scripts/observe/run-command.ts";
import { Traffic } from "../../scripts/observe/traffic.ts";
import { folderWith } from "../contract/config/folder.ts";
import { accepted, error, exchange, message, observed } from "./samples.ts";

const secret = /qzxv/i;
const key = "qzxv_api_key_0123456789";
const email = "qzxv@qzxv.example";

/** Failures of many kinds, with something marked in every place that a client or the server fills. */
function markedTraffic() {
  const requestHeaders = {
    authorization: `Bearer ${key}`,
    "content-type": "application/json",
    "idempotency-key": "qzxv-key",
    cookie: "qzxv=1",
    "x-qzxv": "qzxv",
  };
  const sent = {
    from: email,
    to: [email],
    subject: "Qzxv subject",
    text: "qzxv text",
    tags: { qzxv: "qzxv" },
  };
  const responseHeaders = { "x-qzxv": "qzxv", "set-cookie": "qzxv=1", "x-ratelimit-limit": "qzxv" };
  const record = { id: "qzxv_id", from: "other-qzxv@qzxv.example", to: [], subject: `Qzxv ${key}`, tags: {} };
  const changes = { requestHeaders, responseHeaders };
  return [
    exchange("POST", "/api/v1/emails", {
      ...changes,
      sent,
      status: 202,
      received: { id: "qzxv_id", to: [], suppressed: [email] },
    }),
    exchange("POST", "/api/v1/emails", {
      ...changes,
      sent: { ...sent, subject: "qzxv".repeat(300) },
      status: 202,
      received: { id: "qzxv_id" },
    }),
    exchange("GET", "/api/v1/emails/qzxv_id?qzxv=qzxv", { ...changes, received: record }),
    exchange("GET", `/api/v1/newsletter/contacts/${encodeURIComponent(email)}`, {
      ...changes,
      received: { email: "Qzxv", lists: [{ qzxv: email }] },
    }),
    exchange("POST", `/api/v1/newsletter/contacts/${encodeURIComponent(email)}/unsubscribe`, {
      ...changes,
      sent: { reason: "qzxv" },
      received: { email },
    }),
    exchange("GET", "/api/v1/qzxv/qzxv", {
      ...changes,
      status: 404,
      received: { error: { type: "qzxv", message: "qzxv", fields: { qzxv: ["qzxv"] } } },
    }),
    exchange("QZXV", "/api/v1/emails", { ...changes, status: 405, received: "qzxv" }),
  ];
}

async function reportsOf(showBodies: boolean): Promise<Record<string, string>> {
  const observer = new Observer();
  const traffic = new Traffic(observer, "https://api.example.com");
  for (const { path, ...one } of markedTraffic())
    traffic.add({ ...one, url: `https://api.example.com${path}` });
  observer.end();
  const result = resultOf(observer, traffic, { showBodies }, { expected: [] });
  expect(result.counts.fail).toBeGreaterThan(10);
  const folder = folderWith();
  const names = ["json", "junit", "html", "markdown", "badge"] as const;
  // The id is drawn at random: it could have the mark.
  const pinned = { ...result, runId: "run" };
  await writeReports(pinned, Object.fromEntries(names.map((name) => [name, join(folder, name)])));
  const files = await Promise.all(
    names.map(async (name) => [name, await readFile(join(folder, name), "utf8")]),
  );
  return { ...Object.fromEntries(files), console: consoleText(pinned) };
}

describe("reports of traffic", () => {
  it("have no keys, email addresses, ids, subjects and bodies", async () => {
    for (const [name, text] of Object.entries(await reportsOf(false)))
      expect(`${name}: ${text.split("\n").find((line) => secret.test(line)) ?? "nothing"}`).toBe(
        `${name}: nothing`,
      );
  });

  it("have bodies with --show-bodies, but no keys", async () => {
    const reports = await reportsOf(true);
    expect(reports.json).toContain("Qzxv subject");
    for (const [name, text] of Object.entries(reports))
      expect(`${name} ${text.split("\n").find((line) => line.includes(key))}`).toBe(`${name} undefined`);
  });
});

/** What a literal is in: a variable or property, or the arguments of a function. */
function nameOf(node: ts.Node): string {
  if (ts.isPropertyAssignment(node) || ts.isVariableDeclaration(node)) return node.name.getText();
  return ts.isCallExpression(node) || ts.isNewExpression(node) ? node.expression.getText() : "";
}

/**
 * The texts with spaces in a source, and the parts of its template literals.
 * @param within only those in something with such a name
 */
function textsIn(file: string, within = /^/): string[] {
  const texts: string[] = [];
  const visit = (node: ts.Node, isIn: boolean): void => {
    const isInside = isIn || within.test(nameOf(node));
    if (isInside && (ts.isStringLiteral(node) || ts.isTemplateLiteralToken(node))) texts.push(node.text);
    ts.forEachChild(node, (inner) => visit(inner, isInside));
  };
  visit(ts.createSourceFile(file, readFileSync(file, "utf8"), ts.ScriptTarget.Latest, true), false);
  return texts.filter((text) => text.includes(" ") && !/^[A-Z]+-\d/.test(text));
}

describe("a masked message", () => {
  it("has every text of the checks: a new word belongs in message-words.json", () => {
    const folders = "contract/{model/rules/*,response-checks/*,observe/*,engine/cause}.ts";
    const others = /\/(mask|credentials|coverage|needs|places|observe-result)\.ts$/;
    const files = globSync(folders, { cwd: root }).filter((file) => !others.test(file));
    const texts = files.flatMap((file) => textsIn(join(root, file))).map((text) => text.replaceAll('"', ""));
    expect(texts.length).toBeGreaterThan(80);
    expect(texts.filter((text) => maskedTexts([text])[0] !== text)).toEqual([]);
  });

  it("has what checks of servers and clients expect and find, but samples with digits, signs and addresses", () => {
    const folders =
      "contract/{checks,support,mail,client-suite/engine,client-suite/support,client-suite/checks}/*.ts";
    const files = globSync(folders, { cwd: root });
    const shown = /^(expected|found|whySecret)$|assert|failure|compare/i;
    const texts = files.flatMap((file) => textsIn(join(root, file), shown));
    const own = texts.filter((text) => !/[^ -~\n]|\d|@/.test(text)).map((text) => text.replaceAll('"', ""));
    expect(own.length).toBeGreaterThan(200);
    expect(own.filter((text) => maskedTexts([text])[0] !== text)).toEqual([]);
  });

  it("has the words of the driver protocol", () => {
    const text = '{"error":{"kind":"connection","status":null,"requestId":null}}';
    expect(maskedTexts([text])).toEqual([text]);
  });

  it("has the patterns and formats of the document", () => {
    const [pattern] =
      /(?<="pattern": )"[^\\\n]+"/.exec(readFileSync(join(root, "generated/openapi.json"), "utf8")) ?? [];
    const text = `must match pattern ${pattern}, must match format "date-time"`;
    expect(maskedTexts([text])).toEqual([text]);
  });

  it("has the numbers of headers, however large", () => {
    const text = "X-Service-Monthly-Remaining: 1000001, which must be <= 1000000";
    expect(maskedTexts([text, "found 1000001"])).toEqual([text, "found ***"]);
  });

  it("has the headers and the statuses of the document", () => {
    const text = "the header X-RateLimit-Limit as documented, with status 2XX or 404 not_found";
    expect(maskedTexts([text])).toEqual([text]);
  });

  it("has numbers for different values, so that it shows what differs", () => {
    const texts = ['id "msg_a", to ["ada@a.example"]', 'id "msg_b", to ["ada@a.example"]'];
    expect(maskedTexts(texts)).toEqual(['id "***1", to ["***2"]', 'id "***3", to ["***2"]']);
    const period = 'sent_at "2026-11-24T12:00:00.000Z to 2026-11-24T12:01:00.000Z"';
    expect(maskedTexts([period, "1 counted"])).toEqual([period, "1 counted"]);
    expect(maskedTexts(['id "msg_a"', "nothing"])).toEqual(['id "***"', "nothing"]);
  });

  it("has no short cookie, key or code, but ordinary words", () => {
    const redact = redactor(["ab12cd7", "K9", "secret", "123456", "2026"]);
    const text = `sid=ab12cd7; {"x":"AB12CD7"} /ab12cd7/ xab12cd7 K9 a secret of 2026: 123456.`;
    expect(redact(text)).toBe(`sid=***; {"x":"***"} /***/ xab12cd7 K9 a secret of 2026: ***.`);
    expect(redact("Bearer secret, Bearer K9")).toBe("Bearer ***, Bearer ***");
    const numbers = ["10-20", "11-27", "1-2-3", "12345", "1234-56"];
    const ordinary = [...numbers, "a1.b2", "v2.1.0", "a1b", "msg-x", "msg_a"].join(" ");
    expect(redactor(ordinary.split(" "))(ordinary)).toBe(ordinary);
    const unusual = ["msg-1", "a1_b", "x1-2-3", "1234567", "12345e"];
    expect(redactor(unusual)(unusual.join(" "))).toBe("*** *** *** *** ***");
    redact.remove("ab12cd7");
    expect(redact("ab12cd7")).toBe("ab12cd7");
    const credentials = new Credentials();
    credentials.add({
      url: "/",
      requestHeaders: { cookie: "sid=ab12cd7; theme=dark" },
      responseHeaders: {},
    });
    expect(credentials.redact(`{"echo":"ab12cd7","mode":"dark"}`)).toBe(`{"echo":"***","mode":"dark"}`);
  });

  it("is not destroyed by a short key", () => {
    const requestHeaders = { authorization: "Bearer e" };
    const sent = exchange("POST", "/api/v1/emails", { sent: message, ...accepted("m"), requestHeaders });
    const look = exchange("GET", "/api/v1/emails/m", { ...error(404, "not_found"), requestHeaders });
    const { failures } = observed([sent, look]).tally;
    expect([...failures.values()].map(({ found }) => found)).toEqual(["404 not_found"]);
  });
});
