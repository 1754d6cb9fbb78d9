import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { expect, onTestFinished, test, vi } from "vitest";
import { progressLine, tellingFetch } from "../../scripts/contract/output.ts";

/** What a line of progress writes to a stream. */
function written(isTTY: boolean, use: (line: ReturnType<typeof progressLine>) => void): string {
  let text = "";
  use(progressLine({ isTTY, write: (piece) => (text += piece) }));
  return text;
}

test("on a terminal one line says how far it is and what it waits for, and is gone in the end", () => {
  const text = written(true, (line) => {
    line.onProgress(3, 40);
    line.onWait(12_400);
    line.onProgress(4, 40);
    line.onPoll("getEmail", 170_000);
    line.end();
  });
  expect(text.split("\r\u001B[K")).toEqual([
    "",
    "3 of 40 test cases",
    "3 of 40 test cases, waiting 13 s for the rate limit",
    "4 of 40 test cases",
    "4 of 40 test cases, polling getEmail for at most 170 s",
    "",
  ]);
});

test("elsewhere it says how far it is every half a minute, until the end", () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const text = written(false, (line) => {
    vi.advanceTimersByTime(30_000);
    line.onProgress(400, 994);
    line.onPoll("getEmail", 170_000);
    vi.advanceTimersByTime(60_000);
    line.end();
    vi.advanceTimersByTime(60_000);
  });
  const waits = ", polling getEmail for at most 170 s";
  expect(text.split("\n")).toEqual([
    "0 test cases, 30 s",
    `400 of 994 test cases, 60 s${waits}`,
    `400 of 994 test cases, 90 s${waits}`,
    "",
  ]);
});

test("elsewhere long waits are told too, in lines", () => {
  const text = written(false, (line) => {
    line.onWait(2_000);
    line.onProgress(3, 40);
    line.onWait(400);
    line.onWait(60_000);
    line.end();
  });
  expect(text).toBe(
    "0 test cases, waiting 2 s for the rate limit\n3 of 40 test cases, waiting 60 s for the rate limit\n",
  );
});

test("before a run, what a silent server is asked is said once, after some seconds", async () => {
  const silent = createServer(() => {}).listen(0, "127.0.0.1");
  onTestFinished(() => void silent.close().closeAllConnections());
  await once(silent, "listening");
  const { port } = silent.address() as AddressInfo;
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  const written: string[] = [];
  const telling = tellingFetch(30, { write: (text) => written.push(text) });
  const end = new AbortController();
  const requests = ["me", "newsletter/lists"].map((path) =>
    telling(`http://127.0.0.1:${port}/api/v1/${path}`, { signal: end.signal }).catch(() => "aborted"),
  );
  vi.advanceTimersByTime(4_000);
  expect(written).toEqual([]);
  vi.advanceTimersByTime(20_000);
  expect(written).toEqual(["waiting at most 30 s for the response to GET /api/v1/me\n"]);
  end.abort();
  expect(await Promise.all(requests)).toEqual(["aborted", "aborted"]);
});
