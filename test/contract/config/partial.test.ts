import { stripVTControlCharacters } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Fetch } from "../../../contract/engine/http.ts";
import { diagnose } from "../../../scripts/contract/doctor.ts";
import { startTarget, type Target } from "../../../scripts/contract/targets.ts";

let target: Target;
beforeAll(async () => {
  target = await startTarget("sandbox");
});
afterAll(() => target.close());

/** What the doctor says of a server behind something, in one line. */
async function said(fetch: Fetch): Promise<{ status: number; text: string }> {
  let text = "";
  const print = (more: string): void => {
    text += more;
  };
  const status = await diagnose(target.settings, { print, fetch });
  return { status, text: stripVTControlCharacters(text).replaceAll(/\s+/g, " ") };
}

const rejection = (status: number, type: string): Response =>
  Response.json({ error: { type, message: "No.", request_id: "req_1" } }, { status });

describe("the doctor at a server without some operations", () => {
  test("names them, and reports no key, list or field as wrong because of it", async () => {
    const { status, text } = await said(async (url, init) => {
      if (/newsletter\/(lists|fields)$/.test(url)) return rejection(404, "not_found");
      return /emails\/contract-doctor-none$/.test(url)
        ? rejection(405, "method_not_allowed")
        : fetch(url, init);
    });
    expect(text).not.toContain("WRONG");
    expect(text).toContain(
      "the server has no GET /api/v1/newsletter/lists, no GET /api/v1/newsletter/fields, no GET /api/v1/emails/{id}",
    );
    expect(text).toContain("Unknown: lists respond with 404 not_found.");
    expect(text).toContain("Unknown: fields respond with 404 not_found.");
    expect(status).toBe(0);
  });

  test("questions the base URL if it has no operation that needs no id", async () => {
    const { status, text } = await said(async (_, { method }) =>
      method === "POST" ? rejection(422, "invalid_request") : rejection(405, "method_not_allowed"),
    );
    expect(text).toContain("The server has none of these operations: is baseUrl correct?");
    expect(status).toBe(2);
  });
});

test("the doctor reports that a server sends scheduled messages at once, and schedules no more", async () => {
  let sends = 0;
  const { text } = await said(async (url, { method, body, ...init }) => {
    if (method !== "POST" || !url.endsWith("/emails"))
      return fetch(url, { method, body, ...init } as RequestInit);
    sends += 1;
    const { scheduled_at: _, ...message } = JSON.parse(String(body)) as Record<string, unknown>;
    return fetch(url, { method, ...init, body: JSON.stringify(message) });
  });
  expect(sends).toBe(1);
  expect(text).toContain("This message was scheduled four weeks ahead, but the response has no scheduled_at");
  expect(text).toContain("the server most likely sent it at once: msg_");
  expect(text).toContain("Not checked: the server sends scheduled messages at once.");
});
