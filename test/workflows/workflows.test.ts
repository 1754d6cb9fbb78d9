import { describe, expect, test } from "vitest";
import { readWorkflows } from "../../scripts/document/workflows.ts";
import { openFront, type ServerUnderTest } from "../bench/conformance/front.ts";
import { type Mutant, respondInstead, shows, takes } from "../mutants/mutant.ts";
import { temporaryFolder } from "../temporary-folder.ts";
import { runWorkflows } from "./respect.ts";

async function failuresOn(server: ServerUnderTest, names?: readonly string[]): Promise<string[]> {
  const front = await openFront(server);
  try {
    return await runWorkflows({ url: front.url, folder: temporaryFolder(), ...(names && { names }) });
  } finally {
    await front.close();
  }
}

test("every workflow passes on the sandbox", async () => {
  expect(await failuresOn({ title: "the sandbox" })).toEqual([]);
});

const bodyOf = (response: { body: unknown }): Record<string, unknown> => Object(response.body);

/** By workflow: a fault of a server, and the step that shows it. */
const faults: Record<string, [fault: Mutant, step: string]> = {
  "send-and-follow": [
    shows("LOOK-5", "a look-up lacks the tags", (response, { method }) =>
      method === "GET" ? { ...response, body: { ...bodyOf(response), tags: {} } } : undefined,
    ),
    "send-and-follow/look-up",
  ],
  "retry-safely": [
    takes("IDEM-1", "the idempotency key is ignored", (request) => {
      const { "idempotency-key": _, ...headers } = request.headers;
      return { ...request, headers };
    }),
    "retry-safely/send-again",
  ],
  schedule: [
    respondInstead("SCHED-13", "a cancellation only says so", async (request, next) => {
      if (request.method !== "DELETE") return next(request);
      const shown = await next({ ...request, method: "GET" });
      return { ...shown, body: { ...bodyOf(shown), status: "canceled" } };
    }),
    "schedule/look-up-canceled",
  ],
  batch: [
    shows("BATCH-5", "positions are counted from 1", (response) => {
      const { error } = bodyOf(response) as { error?: { fields?: object } };
      if (error?.fields === undefined) return undefined;
      const fields = { "emails.2.to": Object.values(error.fields)[0] };
      return { ...response, body: { error: { ...error, fields } } };
    }),
    "batch/send-bad",
  ],
  "double-opt-in": [
    shows("MEMB-12", "a contact is subscribed without a confirmation", (response) =>
      bodyOf(response).status === "pending"
        ? { ...response, body: { ...bodyOf(response), status: "subscribed" } }
        : undefined,
    ),
    "double-opt-in/add",
  ],
  unsubscribe: [
    takes("UNSUB-2", "leaving one list is leaving all", (request) =>
      request.path.endsWith("/unsubscribe") ? { ...request, body: {} } : undefined,
    ),
    "unsubscribe/leave-one",
  ],
  "rotate-key": [
    respondInstead("AUTH-8", "a replaced key never stops", async (request, next) => {
      const response = await next(request);
      return response.status === 401 ? { ...response, status: 200, body: {} } : response;
    }),
    "after-rotation/reject-old",
  ],
};

describe("a fault on the way fails the workflow at its step", () => {
  test.each(readWorkflows().map(({ name }) => name))("%s", async (name) => {
    const [fault, step] = faults[name] ?? [];
    expect(fault, `a fault for ${name}`).toBeDefined();
    const found = await failuresOn(fault as Mutant, [name]);
    expect(found[0]).toMatch(new RegExp(`^${step} `));
  });
});
