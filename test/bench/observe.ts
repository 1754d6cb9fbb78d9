import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { parseArgs } from "node:util";
import { type Child, cpuOf, loadCore, peakOf, pinned, serverCore, startServer } from "./child.ts";
import { type Figure, met, summary, table } from "./figures.ts";
import { checkPrograms, type LoadResult, measure, median, sendLoad } from "./measure.ts";

// `npm run bench:observe`: what the proxy of `observe` adds to a request, and how much memory a long record needs. Ends with 1 when a target is missed.

const { values } = parseArgs({
  options: {
    exchanges: { type: "string", default: "1000000" },
    seconds: { type: "string", default: "2" },
    rounds: { type: "string", default: "7" },
  },
});
const [exchanges, duration, rounds] = [
  Number(values.exchanges),
  Number(values.seconds),
  Number(values.rounds),
];
const command = new URL("../../bin/email-api-contract.js", import.meta.url).pathname;
const sandboxScript = new URL("./server.ts", import.meta.url).pathname;
const floorScript = new URL("./floor-proxy.mjs", import.meta.url).pathname;

/** Starts the command on the core of servers. */
function observe(...parameters: string[]): ChildProcess {
  const [program, ...rest] = pinned([process.execPath, command, "observe", ...parameters], serverCore);
  return spawn(program, rest, { stdio: ["pipe", "ignore", "pipe"] });
}

async function proxy(): Promise<Figure[]> {
  // The load generator and the server share the other core.
  const sandbox = await startServer(sandboxScript, [], loadCore);
  const observer = observe("--upstream", sandbox.url, "--port", "0");
  const { pid = 0, stderr } = observer;
  if (stderr === null) throw new Error("the command has no standard error");
  const [line] = (await once(createInterface(stderr), "line")) as [string];
  const url = / at (http:\S+?)\. /.exec(line)?.[1];
  if (url === undefined) throw new Error(`the command prints no URL: ${line}`);
  const floor = await startServer(floorScript, [sandbox.url], serverCore);
  try {
    return await compare({ sandbox, floor }, { url, pid });
  } finally {
    observer.kill("SIGKILL");
    await Promise.all([floor.stop(), sandbox.stop()]);
  }
}

/** The figures of a round; CPU in microseconds, times in milliseconds. */
interface Round extends LoadResult {
  cpu: number;
  added: number;
  direct: number;
  /** CPU of a bare proxy for a request. */
  floor: number;
}

async function compare(
  { sandbox, floor }: Record<"sandbox" | "floor", Child>,
  { url, pid }: { url: string; pid: number },
): Promise<Figure[]> {
  for (const one of [url, floor.url]) await sendLoad(one, { connections: 50, duration }, loadCore);
  const runs: Round[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const bare = await measure(floor, { connections: 50, duration });
    const before = cpuOf(pid);
    const full = await sendLoad(url, { connections: 50, duration }, loadCore);
    const cpu = (cpuOf(pid) - before) / full.requests;
    const direct = await sendLoad(sandbox.url, { connections: 1, duration }, loadCore);
    const passed = await sendLoad(url, { connections: 1, duration }, loadCore);
    runs.push({ ...full, cpu, direct: direct.p50, added: passed.p50 - direct.p50, floor: bare.cpu });
  }
  const of = (value: (round: Round) => number): number => median(runs.map(value));
  const group = "the proxy, on one core";
  return [
    { group, name: "exchanges a second", value: of((one) => one.requests / one.seconds), least: 5000 },
    { group, name: "CPU per exchange", value: of(({ cpu }) => cpu), unit: "us", most: 200 },
    {
      ...{ group, name: "CPU per exchange, of a bare proxy's", value: of((one) => one.cpu / one.floor) },
      detail: `bare ${of((one) => one.floor).toFixed(0)} us`,
    },
    {
      ...{ group, name: "added at the median", value: of(({ added }) => added), unit: "ms", most: 1 },
      detail: `${of(({ direct }) => direct).toFixed(2)} ms without it`,
    },
    { group, name: "requests that failed", value: of(({ failed }) => failed), most: 0 },
  ];
}

const megabyte = 1024 * 1024;

async function record(): Promise<Figure[]> {
  const observer = observe("--ndjson", "-");
  const { pid = 0, stdin } = observer;
  if (stdin === null) throw new Error("the command has no standard input");
  let [peak, cpu] = [0, 0];
  const look = setInterval(() => {
    peak = Math.max(peak, peakOf(pid));
    cpu = Math.max(cpu, cpuOf(pid));
  }, 50);
  const ended = once(observer, "exit");
  await pipeline(Readable.from(trafficLines(exchanges)), stdin);
  const [code] = (await ended) as [number];
  clearInterval(look);
  if (code !== 0) throw new Error(`the command ended with ${code}`);
  const group = `a record of ${exchanges.toLocaleString("en")} exchanges`;
  return [
    { group, name: "peak memory", value: peak / megabyte, unit: "MiB", most: 300 },
    { group, name: "CPU per exchange", value: cpu / exchanges, unit: "us", detail: "with its start" },
  ];
}

const start = Date.parse("2026-11-24T12:00:00Z");
const host = "127.0.0.1:8080";

/** Lines for `observe --ndjson`: three sends and a lookup in turn, of a correct server that 2,000 requests a second reach. */
function* trafficLines(count: number): Generator<string> {
  for (let index = 0; index < count; index += 1)
    yield `${JSON.stringify(index % 4 === 3 ? lookup(index) : send(index))}\n`;
}

const idOf = (index: number): string => `msg_${index.toString(36).padStart(10, "0")}`;
const timeOf = (index: number): number => start + index * 0.5 + 0.123;
const recipientOf = (index: number): string => `ada${index % 1000}@readers.example`;

const sent = (index: number) => ({
  from: "orders@bakery.example",
  to: [recipientOf(index)],
  subject: `Your order ${index}`,
  tags: { order: String(index) },
});

function exchange(index: number, method: string, path: string, headers: Record<string, string> = {}) {
  const at = timeOf(index);
  return {
    startedAt: at,
    milliseconds: 0.3,
    method,
    url: `http://${host}/api/v1/emails${path}`,
    requestHeaders: {
      authorization: "Bearer key-1",
      host,
      ...(method === "POST" && { "content-type": "application/json" }),
    },
    responseHeaders: {
      "content-type": "application/json",
      "x-service-request-id": `req_${index}`,
      "x-ratelimit-limit": "120",
      "x-ratelimit-remaining": String(119 - (index % 120)),
      date: new Date(at).toUTCString(),
      ...headers,
    },
  };
}

function send(index: number): object {
  const remaining = String(900_000_000 - index + Math.floor(index / 4));
  const quota = { "x-service-monthly-quota": "1000000000", "x-service-monthly-remaining": remaining };
  return {
    ...exchange(index, "POST", "", quota),
    requestBody: JSON.stringify({
      ...sent(index),
      text: "Thank you. Your order left our bakery this morning.",
    }),
    status: 202,
    responseBody: JSON.stringify({ id: idOf(index), to: [recipientOf(index)], suppressed: [] }),
  };
}

/** A lookup of the message sent before. */
function lookup(index: number): object {
  const before = index - 1;
  const at = new Date(timeOf(before)).toISOString();
  const unset = {
    scheduled_at: null,
    delivered_at: null,
    bounced_at: null,
    complained_at: null,
    bounce: null,
  };
  return {
    ...exchange(index, "GET", `/${idOf(before)}`),
    status: 200,
    responseBody: JSON.stringify({
      id: idOf(before),
      ...sent(before),
      ...unset,
      status: "sent",
      status_description: "Sent",
      sent_at: at,
      events: [{ type: "sent", at, detail: null }],
    }),
  };
}

await checkPrograms();
const figures = [...(await proxy()), ...(await record())];
console.log(table(figures));
console.log(summary(figures));
if (!figures.every(met)) process.exitCode = 1;
