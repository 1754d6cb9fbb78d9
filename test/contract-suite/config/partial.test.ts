import { stripVTControlCharacters } from "node:util";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { diagnose } from "../../../scripts/contract/doctor.ts";
import { startTarget, type Target } from "../../../scripts/contract/targets.ts";
import type { Fetch } from "../../contract/engine/http.ts";

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

const refusal = (status: number, type: string): Response =>
  Response.json({ error: { type, message: "No.", request_id: "req_1" } }, { status });

describe("the doctor at a server without some operations", () => {
  test("says which are not there, and calls no key, list or field wrong for it", async () => {
    const { status, text } = await said(async (url, init) => {
      if (/newsletter\/(lists|fields)$/.test(url)) return refusal(404, "not_found");
      return /emails\/contract-doctor-none$/.test(url)
        ? refusal(405, "method_not_allowed")
        : fetch(url, init);
    });
    expect(text).not.toContain("WRONG");
    expect(text).toContain(
      "the server has no GET /api/v1/newsletter/lists, no GET /api/v1/newsletter/fields, no GET /api/v1/emails/{id}",
    );
    expect(text).toContain("Nobody knows: lists are answered 404 not_found.");
    expect(text).toContain("Nobody knows: fields are answered 404 not_found.");
    expect(status).toBe(0);
  });

  test("asks about the address where none is there", async () => {
    const { status, text } = await said(async () => refusal(405, "method_not_allowed"));
    expect(text).toContain("The server has none of these: is baseUrl right?");
    expect(status).toBe(2);
  });
});

test("the doctor says that a server sends what was scheduled, and schedules nothing more", async () => {
  let sends = 0;
  const { text } = await said(async (url, { method, body, ...init }) => {
    if (method !== "POST" || !url.endsWith("/emails"))
      return fetch(url, { method, body, ...init } as RequestInit);
    sends += 1;
    const { scheduled_at: _, ...message } = JSON.parse(String(body)) as Record<string, unknown>;
    return fetch(url, { method, ...init, body: JSON.stringify(message) });
  });
  expect(sends).toBe(1);
  expect(text).toContain("This was scheduled four weeks ahead, but the answer has no scheduled_at");
  expect(text).toContain("the server most likely sent it at once: msg_");
  expect(text).toContain("Not looked at: the server sends what is scheduled.");
});
