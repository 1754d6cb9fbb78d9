import type { ApiRequest } from "../../api/context.ts";
import { originOf, pathOfWorkspace } from "../../api/origin.ts";
import { day, latest, writeTime } from "../../domain/times.ts";
import type { Seed } from "../../seed/seed.ts";
import type { WorkspaceEntry } from "../../workspaces/registry.ts";
import { mostWorkspaces, type Workspaces } from "../../workspaces/workspaces.ts";
import type { WorkspaceOptions } from "../../workspaces/worlds.ts";
import type { GatewayServices, Operation } from "../operation.ts";
import { ControlError, json } from "../response.ts";
import { durationField, millisecondsOf, timeOf } from "./clock.ts";

const example = { lifetime: "PT1H" };
const usualLifetime = day;
const longestLifetime = 28 * day;

export function workspacesOf({ workspaces }: GatewayServices): Workspaces {
  if (workspaces !== undefined) return workspaces;
  throw new ControlError(404, "A workspace has no workspaces.", "Create one at the sandbox itself.");
}

const view = ({ id, label, createdAt, expiresAt }: WorkspaceEntry, request: ApiRequest) => ({
  ...{ id, label: label ?? null },
  url: originOf(request) + pathOfWorkspace(id),
  created_at: new Date(createdAt).toISOString(),
  expires_at: new Date(expiresAt).toISOString(),
});

const keysOf = ({ accounts }: Seed) =>
  accounts.flatMap(({ id: account, keys }) => keys.map(({ key, label = key }) => ({ account, label, key })));

/** A seed from a request. @throws ControlError that names its problems */
async function seedOf(value: unknown): Promise<Seed | undefined> {
  if (value === undefined) return undefined;
  const { checkSeed } = await import("../../seed/check.ts");
  try {
    return checkSeed(value);
  } catch (error) {
    const problems = (error as Error).message.replaceAll(/\n\s+/g, " ");
    throw new ControlError(422, `The \`seed\` is wrong: ${problems}.`, "See sandbox/seed/seed.schema.json.");
  }
}

type CreateInput = {
  label?: string;
  lifetime?: string | number;
  seed?: unknown;
  frozen?: boolean;
  start_at?: string;
  requests_per_minute?: number;
};

/** @throws ControlError */
function startOf(text: string): number {
  const time = timeOf("start_at", text);
  if (time >= 0 && time <= latest) return time;
  throw new ControlError(
    422,
    `\`start_at\` must be from ${writeTime(0)} to ${writeTime(latest)} (got "${text}").`,
    'Example: {"start_at": "2027-01-31T09:00:00Z"}.',
  );
}

async function optionsOf(input: CreateInput): Promise<WorkspaceOptions> {
  const { frozen, start_at, requests_per_minute: requestsPerMinute } = input;
  const seed = await seedOf(input.seed);
  const clock = {
    ...(frozen !== undefined && { frozen }),
    ...(start_at !== undefined && { startAt: startOf(start_at) }),
  };
  return {
    ...(seed !== undefined && { seed }),
    ...(Object.keys(clock).length > 0 && { clock }),
    ...(requestsPerMinute !== undefined && { requestsPerMinute }),
  };
}

async function create(services: GatewayServices, input: CreateInput, request: ApiRequest) {
  const lifetime = input.lifetime === undefined ? usualLifetime : millisecondsOf(input.lifetime);
  if (lifetime < 1_000 || lifetime > longestLifetime)
    throw new ControlError(
      422,
      `\`lifetime\` must be from 1 second to 28 days (got ${JSON.stringify(input.lifetime)}).`,
      `Example: ${JSON.stringify(example)}`,
    );
  const label = input.label?.trim() ?? "";
  const created = await workspacesOf(services).create(lifetime, {
    ...(await optionsOf(input)),
    ...(label !== "" && { label }),
  });
  if (created === undefined)
    throw new ControlError(
      409,
      `There are already ${mostWorkspaces} workspaces.`,
      "Delete some with DELETE /sandbox/workspaces/{id}, or choose shorter lifetimes.",
    );
  return json({ ...view(created.entry, request), keys: keysOf(created.seed) }, 201);
}

export const workspaceOperations: Operation[] = [
  {
    method: "GET",
    path: "/sandbox/workspaces",
    summary: "Lists the workspaces.",
    run: async (services, _input, request) =>
      json({ workspaces: (await workspacesOf(services).list()).map((entry) => view(entry, request)) }),
  },
  {
    method: "POST",
    path: "/sandbox/workspaces",
    summary:
      "Creates a workspace: an isolated sandbox below its own URL, with its own accounts, clock, mail and failures. Returns its URL and its keys.",
    fields: {
      label: { type: "string", description: "whose it is, for the list of workspaces", maxLength: 100 },
      lifetime: {
        ...durationField,
        description: "how long it exists, in real time: from 1 second to 28 days; default: 1 day",
      },
      seed: {
        type: "object",
        description: "its accounts, like a seed file; default: the accounts of this sandbox",
      },
      frozen: { type: "boolean", description: "whether its clock moves only when it is advanced" },
      start_at: {
        type: "string",
        description: "the time at which its clock starts, such as 2027-01-31T09:00:00Z",
      },
      requests_per_minute: {
        type: "integer",
        description: "replaces the rate limit",
        minimum: 1,
        maximum: 1_000_000_000,
      },
    },
    example,
    run: create,
  },
  {
    method: "DELETE",
    path: "/sandbox/workspaces/{id}",
    summary: "Deletes a workspace with everything in it.",
    async run(services, { id = "" }: { id?: string }) {
      if (await workspacesOf(services).remove(id)) return json({ deleted: id });
      throw new ControlError(
        404,
        `There is no workspace ${JSON.stringify(id.slice(0, 100))}.`,
        "List them with GET /sandbox/workspaces.",
      );
    },
  },
];
