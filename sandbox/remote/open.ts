import { UserError } from "../../lib/user-error.ts";
import { loadSeed } from "../seed/load.ts";
import { ControlApi, isNotFound } from "./control-api.ts";
import { remoteFailures } from "./failures.ts";
import { remoteOutbox } from "./outbox.ts";
import type { RemoteOptions, RemoteSandbox } from "./types.ts";

interface CreatedWorkspace {
  id: string;
  url: string;
  keys: { label: string; key: string }[];
}

/** Creates a workspace. @throws UserError if an option is invalid, or the sandbox cannot be reached or rejects it */
export async function openRemote(options: RemoteOptions): Promise<RemoteSandbox> {
  rejectOwnOptions(options);
  const running = new ControlApi(baseUrlOf(options.at));
  const created = await running.post("/sandbox/workspaces", await bodyOf(options));
  const { id, url, keys } = created as CreatedWorkspace;
  const workspace = new ControlApi(url);
  let closing: Promise<void> | undefined;
  return {
    url,
    fetch: (input, init) =>
      fetch(typeof input === "string" && input.startsWith("/") ? url + input : input, init),
    clock: {
      now: async () => Date.parse(((await workspace.get("/sandbox/clock")) as { now: string }).now),
      advance: async (milliseconds) =>
        void (await workspace.post("/sandbox/clock", { advance: milliseconds })),
    },
    outbox: remoteOutbox(workspace),
    failures: remoteFailures(workspace),
    keys: Object.fromEntries(keys.map(({ label, key }) => [label, key])),
    reset: async () => void (await workspace.post("/sandbox/reset")),
    close() {
      closing ??= deleteWorkspace(running, id).catch((error) => {
        // The next call tries again.
        closing = undefined;
        throw error;
      });
      return closing;
    },
  };
}

async function deleteWorkspace(running: ControlApi, id: string): Promise<void> {
  try {
    await running.delete(`/sandbox/workspaces/${id}`);
  } catch (error) {
    // It has expired, or someone else has deleted it.
    if (!isNotFound(error)) throw error;
  }
}

async function bodyOf({
  label,
  lifetime,
  seed,
  clock = {},
  requestsPerMinute,
}: RemoteOptions): Promise<object> {
  return {
    ...{ label, lifetime, frozen: clock.frozen, requests_per_minute: requestsPerMinute },
    ...(seed !== undefined && { seed: await loadSeed(seed) }),
    ...(clock.startAt !== undefined && { start_at: new Date(clock.startAt).toISOString() }),
  };
}

function baseUrlOf(at: string): string {
  const { protocol, pathname = "" } = URL.parse(at) ?? {};
  if (pathname.includes("/api/"))
    throw new UserError(
      `the URL of the sandbox must not have the path of an API (got ${JSON.stringify(at)})`,
      {
        hint: "Example: http://sandbox.example:4020.",
        exitCode: 2,
      },
    );
  if (protocol === "http:" || protocol === "https:") return at.replace(/\/+$/, "");
  throw new UserError(
    `the URL of the sandbox must start with http:// or https:// (got ${JSON.stringify(at)})`,
    {
      hint: "Example: http://sandbox.example:4020.",
      exitCode: 2,
    },
  );
}

const known = ["at", "label", "lifetime", "seed", "clock", "requestsPerMinute"];

/** TypeScript does not allow them, but nothing else tells a user of JavaScript that they have no effect. */
function rejectOwnOptions(options: RemoteOptions): void {
  const given = Object.entries(options).filter(
    ([name, value]) => value !== undefined && !known.includes(name),
  );
  if (given.length === 0) return;
  const names = given.map(([name]) => name).join(", ");
  throw new UserError(`with at there is no option ${names} (got at ${JSON.stringify(options.at)})`, {
    hint: `With at, the options are ${known.slice(1).join(", ")}. Set all others where the sandbox is started.`,
    exitCode: 2,
  });
}
