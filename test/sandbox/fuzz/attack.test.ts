import fc from "fast-check";
import { expect, test } from "vitest";
import { checkRaw, exchange, parse } from "../http/raw.ts";
import { keys, startRig } from "../rig.ts";
import { attack } from "./attack.ts";
import { goodBodies, malformed, target, value } from "./values.ts";

test("a sample of bad requests gets error responses only", async () => {
  const { rejected, errors } = await attack(1_000);
  expect(errors).toEqual([]);
  expect(rejected).toBeGreaterThan(500);
});

const seed = Number(process.env.FUZZ_SEED ?? 20_260_310);

/** What may stand in a request's first line without making two of it. */
const printable = (text: string): string => encodeURI(text.toWellFormed()).replaceAll(" ", "%20");

test("any bytes on a connection get an error response or close it", {
  timeout: 60_000,
}, async () => {
  const { sandbox, get } = await startRig();
  await fc.assert(
    fc.asyncProperty(malformed, async (bytes) => {
      const read = await exchange(sandbox.url, bytes, false);
      const response = parse(read.replace(/^HTTP\/1.1 100 Continue\r\n\r\n/, ""));
      // After the response to HEAD, which has no body, comes that to the next bytes.
      const isHead = bytes[0] === "H".charCodeAt(0);
      if (
        response === null ||
        isHead ||
        response.text === "" ||
        !response.headers["content-type"]?.startsWith("application/json")
      )
        return;
      const { error } = JSON.parse(response.text);
      if (response.status >= 400) expect(error.message).toBeTypeOf("string");
      expect(response.status).not.toBe(500);
      expect(response.text).not.toContain(keys.all);
    }),
    { numRuns: 300, seed },
  );
  expect((await get("/api/v1/me")).status).toBe(200);
});

test("complete requests get responses of the contract", { timeout: 60_000 }, async () => {
  const { sandbox } = await startRig();
  let count = 0;
  const cases = fc.tuple(
    fc.constantFrom("GET", "POST", "PATCH", "DELETE", "PUT", "OPTIONS"),
    target,
    fc.constantFrom(...goodBodies),
    value,
  );
  await fc.assert(
    fc.asyncProperty(cases, async ([httpMethod, where, [, , good], change]) => {
      count += 1;
      if (count % 100 === 0) await sandbox.clock.advance(60_000);
      const path = `/api/v1/${printable(where).replace(/^\/api\/v1\//, "")}`;
      const body = Buffer.from(JSON.stringify(count % 2 === 0 ? good : change));
      const head = `${httpMethod} ${path} HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer ${keys.all}\r\nConnection: close\r\n`;
      const headers = `${head}Content-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n`;
      const read = await exchange(sandbox.url, Buffer.concat([Buffer.from(headers), body]));
      expect(checkRaw(httpMethod, path.replace(/\?.*/s, ""), read)).not.toBeNull();
    }),
    { numRuns: 400, seed },
  );
});
