import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test } from "vitest";
import { Attempts } from "../../contract/engine/attempts.ts";
import { sendRequest, Unreachable } from "../../contract/engine/http.ts";
import { Run } from "../../contract/engine/run.ts";
import { Tester } from "../../contract/engine/tester.ts";
import { demoSettings } from "../mutants/demo.ts";

const request = { method: "GET", path: "/api/v1/me" };

async function sendTo(listener: RequestListener, responseDeadline = 20) {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await new Promise((resolve) => server.once("listening", resolve));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return sendRequest({ baseUrl, fetch, responseDeadline }, request, undefined);
}

test("a response that ends too early has the status and the bytes that arrived", async () => {
  const partly: RequestListener = (_, response) => {
    response.writeHead(200, { "content-length": "12" }).write(`{"a":1}`);
  };
  await expect(sendTo(partly, 0.3)).rejects.toMatchObject({
    message: expect.stringMatching(
      /^No complete response to GET \/api\/v1\/me: status 200 and 7 of 12 bytes of the body; it took longer/,
    ),
    known: {
      reason: "status 200 and 7 of 12 bytes of the body; 0.3 s",
      hint: expect.stringContaining("Content-Length"),
    },
  });
  const cut: RequestListener = (_, response) => {
    response.writeHead(200, { "content-length": "12" }).write("{");
    setTimeout(() => response.destroy(), 20);
  };
  await expect(sendTo(cut)).rejects.toThrow("status 200 and 1 of 12 bytes of the body; ");
  const endless: RequestListener = (_, response) => {
    response.writeHead(200).end("x".repeat(9 * 1024 * 1024));
  };
  await expect(sendTo(endless)).rejects.toThrow(/status 200 and \d+ bytes of the body; it is larger than/);
});

test("a body in Latin-1 is no JSON", async () => {
  const latin: RequestListener = (_, response) => {
    response.writeHead(200).end(Buffer.from(`{"name":"Zoë"}`, "latin1"));
  };
  expect((await sendTo(latin)).json).toBeUndefined();
});

const noConnection = () =>
  new Unreachable("No response to GET /api/v1/me: ECONNREFUSED", { reason: "ECONNREFUSED" });

test("a server whose connections are refused is one fact, from the last request that it responded to", () => {
  const attempts = new Attempts();
  for (let index = 0; index < 7; index += 1) attempts.note("GET /api/v1/me");
  const errors = Array.from(
    { length: 5 },
    (_, index) => attempts.note(`GET /${index}`, noConnection())?.message,
  );
  expect(errors.slice(2)).toEqual(Array(3).fill("After request 7, the server did not respond: ECONNREFUSED"));
  expect(attempts.unanswered()).toEqual([
    { request: "After request 7, the server", tries: 5, unanswered: 5, reason: "ECONNREFUSED" },
  ]);
  // It is back.
  attempts.note("GET /api/v1/me");
  expect(attempts.unanswered()).toHaveLength(5);
});

test("nothing waits for the rate limit of a server whose connections are refused", async () => {
  const waits: number[] = [];
  const run = new Run({
    settings: demoSettings("core"),
    fetch: () => Promise.reject(new TypeError("fetch failed", { cause: new Error("connect ECONNREFUSED") })),
    onWait: (time) => waits.push(time),
  });
  const tester = new Tester(run);
  for (let index = 0; index < 300; index += 1)
    await tester.rawRequest({ method: "GET", path: `/api/v1/${index}` }).catch(() => undefined);
  expect(waits).toEqual([]);
  expect(run.attempts.unanswered()).toMatchObject([{ tries: 300 }]);
});
