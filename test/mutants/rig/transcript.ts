import { type Sandbox, startSandbox } from "../../../sandbox/index.ts";
import { intercepted } from "../intercept.ts";
import type { Mutant, SandboxContext } from "../mutant.ts";
import { demoSandbox, demoSettings } from "./demo.ts";
import { type Walk, walks } from "./walk.ts";
import type { Walker } from "./walk-messages.ts";

const keys = demoSettings().keys;
const start = Date.parse("2026-03-04T03:20:00Z");
/** Identifiers differ between runs. */
const dropped = new Set(["date", "x-service-request-id", "content-length"]);

/** The responses to a walk on a new sandbox, as texts that are equal in equal runs. */
async function transcript(walk: Walk): Promise<string[]> {
  const lines: string[] = [];
  await walkOn(walk, undefined, (line) => lines.push(line));
  return lines;
}

export type Transcripts = ReadonlyMap<Walk, readonly string[]>;

/** The transcripts of all walks. */
export const transcripts = async (): Promise<Transcripts> =>
  new Map(await Promise.all(walks.map(async (walk) => [walk, await transcript(walk)] as const)));

/** The first response to the walks that a mutant changes; undefined if it changes none. */
export async function firstChange(fault: Mutant, expected: Transcripts): Promise<string | undefined> {
  const isLikely = ({ topics }: Walk): boolean => topics.test(fault.requirement);
  for (const walk of walks.toSorted((one, other) => Number(isLikely(other)) - Number(isLikely(one)))) {
    const found = await firstChangeOn(walk, fault, expected.get(walk) ?? []);
    if (found !== undefined) return found;
  }
  return undefined;
}

async function firstChangeOn(
  walk: Walk,
  fault: Mutant,
  expected: readonly string[],
): Promise<string | undefined> {
  // A mutant may send requests of its own, so the remaining requests only matter where they are the fault.
  const plain = (line = ""): string =>
    fault.requirement === "LIMIT-3" ? line : line.replace(/("x-ratelimit-remaining"),"\d+"/, "$1");
  let index = 0;
  let found: string | undefined;
  await walkOn(walk, fault, (line) => {
    if (plain(line) !== plain(expected[index])) found = line;
    index += 1;
    if (found !== undefined) throw new Change();
  }).catch((error: unknown) => {
    if (!(error instanceof Change)) throw error;
  });
  return found;
}

/** Ends a walk. */
class Change extends Error {}

async function walkOn(
  { walk }: Walk,
  fault: Mutant | undefined,
  tell: (line: string) => void,
): Promise<void> {
  const sandbox = await startSandbox({ ...demoSandbox(), clock: { frozen: true, startAt: start } });
  try {
    await walk(walkerOn(sandbox, fault, tell));
  } finally {
    await sandbox.close();
  }
}

function walkerOn(sandbox: Sandbox, fault: Mutant | undefined, tell: (line: string) => void): Walker {
  const plain = (path: string, init: RequestInit) => sandbox.fetch(path, init);
  const control = async (method: string, path: string, body?: unknown): Promise<unknown> =>
    (
      await plain(path, {
        method,
        body: JSON.stringify(body ?? {}),
        headers: { "content-type": "application/json" },
      })
    ).json();
  const context: SandboxContext = {
    bearer: (role) => `Bearer ${keys[role]}`,
    now: () => sandbox.clock.now(),
    control,
  };
  const fetch = fault === undefined ? plain : intercepted(plain, fault.intercept(context));
  const known = new Map<string, string>();
  const requestIds = new Set<unknown>();
  const named = (text: string): string =>
    text.replaceAll(/(?:sched_|msg_|req_)[\w-]+/g, (id) => {
      if (!known.has(id)) known.set(id, `${id.split("_", 1)}_${known.size}`);
      return id.startsWith("req_") ? "req" : (known.get(id) ?? "");
    });
  return {
    call: async (method, path, { body, role = "full", key } = {}) => {
      const response = await fetch(path, {
        method,
        headers: {
          "content-type": "application/json",
          authorization: context.bearer(role),
          ...(key === undefined ? {} : { "idempotency-key": key }),
        },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      const id = response.headers.get("x-service-request-id");
      const shown = [...response.headers].filter(([name]) => !dropped.has(name));
      const isOther = text.includes("request_id") && !text.includes(`"request_id":"${id}"`);
      const ofId = `${id === null || requestIds.has(id)} ${isOther}`;
      requestIds.add(id);
      tell(named(`${method} ${path} ${response.status} ${JSON.stringify(shown)} ${ofId} ${text}`));
      return (text === "" ? {} : JSON.parse(text)) as Record<string, unknown>;
    },
    advance: (seconds) => sandbox.clock.advance(seconds * 1000) as Promise<unknown>,
    confirm: (email, list) => control("POST", "/sandbox/confirm", { email, list_id: list }),
    at: (hours, offset = "Z") => {
      const [, sign, hour = "0", minutes = "0"] = /^([+-])(\d\d):(\d\d)$/.exec(offset) ?? [];
      const shift = (Number(hour) * 60 + Number(minutes)) * (sign === "-" ? -1 : 1) * 60_000;
      const time = new Date(sandbox.clock.now() + hours * 3_600_000 + shift).toISOString();
      return time.replace(/\.\d+Z$/, offset);
    },
  };
}
