import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import type { Browser } from "playwright-core";
import { expect, onTestFinished, test } from "vitest";
import { measureClockOffset } from "../../contract/clock-offset.ts";
import { Run } from "../../contract/engine/run.ts";
import { defaultDeadlines, type Settings } from "../../contract/engine/settings.ts";
import { Tester } from "../../contract/engine/tester.ts";
import { type Plan, planOf, runPlan } from "../../contract/plan.ts";
import type { BrowserOptions } from "../../sandbox/browser/worker.ts";
import { settingsOfSandbox, testedSandbox } from "../../scripts/contract/targets.ts";
import { buildWorker } from "../../scripts/docs/sandbox/build.ts";
import { falsePositives } from "../mutants/variants/false-positives.ts";
import { hasBrowser, openBrowser } from "../sandbox/pages/browser.ts";

// `npm run contract:browser` runs the contract suite against the sandbox of the reference site, in the worker of a page in Chromium.

/** A sandbox in a page of a browser, with a server that passes requests to it. */
interface Bridge {
  /** Without a slash at the end. */
  url: string;
  /** The errors of the sandbox. */
  errors: string[];
  close(): Promise<void>;
}

/** What the server and the page share. */
interface Passing {
  worker: Uint8Array;
  /** Requests that the page has not responded to, by their numbers. */
  waiting: Map<string, { body: Buffer | null; response: ServerResponse }>;
  last: number;
  /** The stream of requests to the page. */
  events?: ServerResponse;
  errors: string[];
}

/**
 * Starts a sandbox in the worker of a page, and a server that passes each request to it and sends what it responds. The page gets the requests
 * as server-sent events, fetches their bodies and posts the responses.
 */
async function startBridge(browser: Browser, options: BrowserOptions = {}): Promise<Bridge> {
  const passing: Passing = { worker: await buildWorker(), waiting: new Map(), last: 0, errors: [] };
  const server = createServer({ requireHostHeader: false }, (request, response) => {
    const { url = "/" } = request;
    const handled = url.startsWith(own)
      ? serve(request, response, url.slice(own.length), passing)
      : pass(request, response, passing);
    // The connection broke off.
    handled.catch(() => response.destroy());
  });
  // Otherwise a busy machine closes a connection just when it is used again.
  server.keepAliveTimeout = 120_000;
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const page = await browser.newPage();
  await page.goto(`${url}${own}page`);
  await page.evaluate(pageScript(options));
  return {
    ...{ url, errors: passing.errors },
    async close() {
      await page.close();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** Passes a request to the page. */
async function pass(request: IncomingMessage, response: ServerResponse, passing: Passing): Promise<void> {
  const body = await bodyOf(request);
  passing.last += 1;
  const id = String(passing.last);
  passing.waiting.set(id, { body, response });
  const { method, url: target, headers } = request;
  const event = { id, request: { method, target, headers, body: null }, hasBody: body !== null };
  passing.events?.write(`data: ${JSON.stringify(event)}\n\n`);
}

/** Responds to a request of the page itself. */
async function serve(
  request: IncomingMessage,
  response: ServerResponse,
  name: string,
  passing: Passing,
): Promise<void> {
  const { worker, waiting, errors } = passing;
  if (name === "page") response.writeHead(200, { "content-type": "text/html" }).end("<!doctype html>");
  else if (name === "worker.js") response.writeHead(200, { "content-type": "text/javascript" }).end(worker);
  else if (name === "events") {
    passing.events = response.writeHead(200, { "content-type": "text/event-stream" });
    response.write(": open\n\n");
  } else if (name === "error") {
    errors.push(String(await bodyOf(request)));
    response.end();
  } else if (request.method === "GET") response.end(waiting.get(name)?.body);
  else {
    await respond(request, waiting.get(name)?.response);
    waiting.delete(name);
    response.end();
  }
}

async function bodyOf(request: IncomingMessage): Promise<Buffer | null> {
  const { headers } = request;
  const isEmpty = headers["transfer-encoding"] === undefined && (headers["content-length"] ?? "0") === "0";
  return isEmpty ? null : Buffer.concat(await request.toArray());
}

/** Sends what the sandbox responded: its status and headers come in a header, its body as the body. */
async function respond(posted: IncomingMessage, response: ServerResponse | undefined): Promise<void> {
  const body = Buffer.concat(await posted.toArray());
  const { status, headers, cut } = JSON.parse(decodeURIComponent(String(posted.headers["x-response"])));
  if (cut) response?.destroy();
  else response?.writeHead(status, { ...headers, "content-length": body.length }).end(body);
}

/** The start of the paths that the bridge keeps for itself. */
const own = "/-bridge/";

/** The script of the page: starts the worker, and passes requests to it. Text, because code in a browser has other types. */
const pageScript = (options: BrowserOptions): string => `new Promise((resolve, reject) => {
  const post = (name, body, headers = {}) => fetch("${own}" + name, { method: "POST", body, headers });
  const respond = (id, { body = "", ...head }) =>
    post(id, body, { "x-response": encodeURIComponent(JSON.stringify(head)) });
  const worker = new Worker("${own}worker.js");
  worker.onerror = ({ message }) => reject(new Error(message));
  worker.onmessage = ({ data }) => {
    if ("opened" in data) resolve();
    else if ("error" in data) post("error", data.error);
    else respond(data.id, data.closed ? { cut: true } : data.response);
  };
  new EventSource("${own}events").onmessage = async ({ data }) => {
    const { id, request, hasBody } = JSON.parse(data);
    if (hasBody) request.body = new Uint8Array(await (await fetch("${own}" + id)).arrayBuffer());
    worker.postMessage({ id, request });
  };
  worker.postMessage({ open: ${JSON.stringify(options)} });
})`;

/** Only what is right counts here: the machine may be busy. In seconds. */
const deadlines = { ...defaultDeadlines, response: 60, delivery: 60, dispatch: 60 };

/**
 * Each check once for each operation: what decides about further values is the same code in a page, of which
 * `npm start` runs all cases.
 */
function planOnce(settings: Settings): Plan {
  const seen = new Set<string>();
  return planOf(settings).filter(
    ({ check, testCase }) => seen.size < seen.add(`${check.title}: ${testCase.operation}`).size,
  );
}

test.skipIf(!hasBrowser)(
  "the sandbox in the worker of a page passes every requirement that responses show",
  { timeout: 400_000 },
  async () => {
    const browser = await openBrowser();
    onTestFinished(() => browser.close());
    const bridge = await startBridge(browser, testedSandbox());
    const settings = { ...settingsOfSandbox(bridge.url), deadlines };
    const run = new Run({ settings });
    await measureClockOffset(new Tester(run));
    const outcomes = await runPlan(run, planOnce(settings));
    await bridge.close();
    expect(falsePositives(outcomes)).toEqual([]);
    const passed = outcomes.flatMap(({ ids, responseChecks }) => [
      ids,
      ...responseChecks.map((one) => one.ids),
    ]);
    expect(new Set(passed.flat()).size).toBeGreaterThanOrEqual(225);
    expect(bridge.errors).toEqual([]);
  },
);
