import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, test } from "vitest";
import { jsonText, readReport } from "../../../contract/report/json.ts";
import { publishedReport } from "../../../contract/report/publish.ts";
import { reportsFolder } from "../../../scripts/common/paths.ts";
import { readClients } from "../../clients/client.ts";
import { renewReport } from "../../reports/renew.ts";
import { temporaryFolder } from "../../temporary-folder.ts";
import { outcome, resultOf, sampleExchange } from "./samples.ts";

const secrets = {
  host: "internal.postbox.io",
  email: "ada.lovelace@postbox.io",
  id: "msg_4711secret",
  word: "Zanzibar",
  address: "10.11.12.13:8080",
  ipv6: "2001:db8::7",
};
const exchange = {
  ...sampleExchange,
  path: `/api/v1/emails/${secrets.id}`,
  method: "GET",
  request: { headers: { "x-trace": secrets.word }, body: secrets.word },
  response: {
    status: 200,
    headers: { server: secrets.host, "x-service-request-id": "req_4711secret" },
    body: secrets.email,
  },
};
const everywhere = Object.values(secrets).join(" ");
const failing = outcome({
  ids: ["LOOK-1"],
  check: "the record is complete",
  title: `for ${secrets.email} at https://${secrets.host}/x`,
  verdict: "fail",
  failure: {
    expected: `status 200 ${everywhere}`,
    found: `status 404 ${everywhere}`,
    cause: `Valid requests are rejected with 422: "${everywhere}"`,
    exchange: 4,
    first: 0,
  },
  exchanges: Array(5).fill(exchange),
  responseChecks: [
    {
      ids: ["HEAD-1"],
      title: "has an id",
      responses: 1,
      failures: [{ expected: "an id", found: everywhere, cause: `is missing: ${everywhere}`, exchange }],
    },
  ],
});
const silent = outcome({
  ids: ["LIST-1"],
  verdict: "error",
  reason: `No response: ${everywhere}`,
  exchanges: [],
});
const contact = "conformance@postbox.io";
const result = resultOf(
  [failing, silent, outcome({})],
  [{ id: "LOOK-1", owner: secrets.email, reason: `Late at ${secrets.ipv6}.` }],
  {
    baseUrl: `https://${secrets.host}`,
    implementation: { name: "Postbox", version: "2.3.0", contact },
    keyVariables: { full: "POSTBOX_KEY" },
    docs: `https://${secrets.host}/docs`,
  },
);
const published = publishedReport(result);

describe("a published report", () => {
  test("has no address, id, body or value of the implementation, but its contact", () => {
    const text = jsonText(published);
    for (const secret of [...Object.values(secrets), "POSTBOX_KEY", "req_4711secret"])
      expect(text).not.toContain(secret);
    expect(text).toContain(contact);
  });

  test("has the verdicts, and failures with operation, status and the words of the document", () => {
    expect(published.requirements.map(({ id, verdict }) => [id, verdict])).toEqual(
      result.requirements.map(({ id, verdict }) => [id, verdict]),
    );
    const [one] = published.checks.flatMap(({ cases }) => cases);
    expect(one?.failure?.found).toMatch(/^status 404 /);
    expect(one?.exchanges.map(({ path, response }) => [path, response.status])).toEqual(
      Array(3).fill(["/api/v1/emails/***", 200]),
    );
    expect(one?.failure?.exchange).toBe(2);
    expect(published.expectedFailures?.[0]).toMatchObject({ reason: "Late at ***.", owner: "***" });
  });

  test("says what it leaves out, and is a report", () => {
    const file = join(temporaryFolder(), "report.json");
    expect(published.published?.map(({ what }) => what).join()).toContain("base URL");
    expect(published.checks.filter(({ verdict }) => verdict === "pass")).toEqual([]);
    return renewReport(file, result).then(() =>
      expect(readReport(file)).toEqual(JSON.parse(jsonText(published))),
    );
  });

  test("of a published report is the same", () => {
    expect(jsonText(publishedReport(published))).toBe(jsonText(published));
  });

  test("keeps addresses of reserved domains, and the words of the suite", () => {
    const texts = ["to ada@readers.example and https://mail.test:8080/x", "a single word: api"];
    const other = publishedReport(resultOf([], [], { baseUrl: "http://api", information: texts }));
    expect(other.information).toEqual(texts);
  });

  test.each([
    ["https://u:pw@x.example.com/", "***"],
    ["https://x.example.com/a/b?token=T#here", "https://x.example.com/a/b"],
    ["http://[2001:db8::7]:80/x", "***"],
    ["wss://x.corp.io/y or smtp://mail.corp.io or postgres://u:p@corp.io/db", "*** or *** or ***"],
    ['"ada b"@corp.io, ada@exämple.com', "***, ***"],
    ["host:fd00::1, 2001:db8:1:2:3:4:5:6:8080", "host:***, ***"],
    ["at [fe80::1%eth0] or ::1: closed", "at [***%eth0] or ***: closed"],
    ["mail.test.postbox.io is at https://x.test.postbox.io", "mail.test.postbox.io is at ***"],
    ["version 2.3.0 at 09:00:00, a::zone, dead:beef", "version 2.3.0 at 09:00:00, a::zone, dead:beef"],
  ])("has of %j in a reason only %j", (reason, shown) => {
    const other = publishedReport(resultOf(undefined, [{ id: "SEND-1", reason }]));
    expect(other.expectedFailures?.[0]?.reason).toBe(shown);
  });

  test("keeps the causes that the suite words itself", () => {
    const cause = "Not every request has the email address in the path, percent-encoded";
    const failure = { expected: "status 202", found: "status 422", cause, exchange: 0 };
    const other = publishedReport(resultOf([outcome({ verdict: "fail", failure })], []));
    expect(other.checks[0]?.cases[0]?.failure?.cause).toBe(cause);
  });
});

describe("a report is renewed", () => {
  test("if it says something else, not because of another date", async () => {
    const file = join(temporaryFolder(), "reports/postbox.json");
    expect(await renewReport(file, result)).toBe(true);
    expect(await renewReport(file, { ...result, startedAt: "2026-03-04T05:06:07.000Z" })).toBe(false);
    expect(readReport(file).startedAt).toBe(result.startedAt);
    expect(await renewReport(file, { ...result, profile: "full" })).toBe(true);
    expect(await renewReport(file, { ...result, profile: "full" }, true)).toBe(true);
  });
});

test("reports/ has the sandbox, the second server and the clients, as published reports", () => {
  const files = readdirSync(reportsFolder);
  for (const file of files) {
    const { implementation, published: left, expectedFailures } = readReport(join(reportsFolder, file));
    expect([file, implementation !== undefined, left !== undefined]).toEqual([file, true, true]);
    for (const { id, reason, owner, until } of expectedFailures ?? [])
      expect([file, id, reason, owner, until]).not.toContain(undefined);
  }
  const clients = readClients().map(({ id }) => id);
  for (const name of ["sandbox", "second-server", ...clients]) expect(files).toContain(`${name}.json`);
});
