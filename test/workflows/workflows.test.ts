import { expect, test } from "vitest";
import { readWorkflows } from "../../scripts/document/workflows.ts";
import { openFront, type ServerUnderTest } from "../bench/conformance/front.ts";
import { chained, type Mutant, respondInstead, shows, takes } from "../mutants/mutant.ts";
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

test("every workflow passes on the sandbox", { timeout: 60_000 }, async () => {
  expect(await failuresOn({ title: "the sandbox" })).toEqual([]);
});

const bodyOf = (response: { body: unknown }): Record<string, unknown> => Object(response.body);

/** A workflow, and the step that fails on a server with a fault. */
const faults: [workflow: string, step: string, fault: Mutant][] = [
  [
    "send-and-follow",
    "send-and-follow/look-up-the-message",
    shows("LOOK-5", "a look-up lacks the tags", (response, { method }) =>
      method === "GET" ? { ...response, body: { ...bodyOf(response), tags: {} } } : undefined,
    ),
  ],
  [
    "retry-safely",
    "retry-safely/send-the-same-message-again",
    takes("IDEM-1", "the idempotency key is ignored", (request) => {
      const { "idempotency-key": _, ...headers } = request.headers;
      return { ...request, headers };
    }),
  ],
  [
    "schedule",
    "schedule/look-up-the-new-time",
    respondInstead("SCHED-9", "a move changes nothing", (request, next) =>
      next(request.method === "PATCH" ? { ...request, method: "GET", body: undefined } : request),
    ),
  ],
  [
    "schedule",
    "schedule/look-up-the-canceled-message",
    respondInstead("SCHED-13", "a cancellation only says so", async (request, next) => {
      if (request.method !== "DELETE") return next(request);
      const shown = await next({ ...request, method: "GET" });
      return { ...shown, body: { ...bodyOf(shown), status: "canceled" } };
    }),
  ],
  [
    "batch",
    "batch/send-a-batch-with-a-bad-message",
    shows("BATCH-5", "positions are counted from 1", (response) => {
      const { error } = bodyOf(response) as { error?: { fields?: object } };
      if (error?.fields === undefined) return undefined;
      const fields = { "emails.2.to": Object.values(error.fields)[0] };
      return { ...response, body: { error: { ...error, fields } } };
    }),
  ],
  [
    "double-opt-in",
    "double-opt-in/add-the-contact",
    shows("MEMB-12", "a contact is subscribed without a confirmation", (response) =>
      bodyOf(response).status === "pending"
        ? { ...response, body: { ...bodyOf(response), status: "subscribed" } }
        : undefined,
    ),
  ],
  [
    "unsubscribe",
    "unsubscribe/leave-one-list",
    takes("UNSUB-2", "leaving one list is leaving all", (request) =>
      request.path.endsWith("/unsubscribe") ? { ...request, body: {} } : undefined,
    ),
  ],
  [
    "rotate-key",
    "after-rotation/try-the-old-key",
    respondInstead("AUTH-8", "a replaced key never stops", async (request, next) => {
      const response = await next(request);
      return response.status === 401 ? { ...response, status: 200, body: {} } : response;
    }),
  ],
];

test("each workflow has a fault", () => {
  const names = new Set(faults.map(([name]) => name));
  expect([...names].sort()).toEqual(readWorkflows().map(({ name }) => name));
});

/** One fault of each workflow at the same time: none affects another workflow. Then those that are left. */
const firsts = faults.filter(([name], index) => faults.findIndex(([other]) => other === name) === index);
const others = faults.filter((one) => !firsts.includes(one));

test.each([
  ["one of each", firsts],
  ["the others", others],
])("faults on the way fail each workflow at its step: %s", { timeout: 60_000 }, async (title, chosen) => {
  const server: ServerUnderTest = {
    title,
    intercept: (context) => chained(chosen.map(([, , fault]) => fault.intercept(context))),
  };
  const found = await failuresOn(
    server,
    chosen.map(([name]) => name),
  );
  // What follows in the same workflow is not of interest.
  const first = Map.groupBy(found, (failure) => failure.split("/")[0]);
  const steps = [...first.values()].map(([failure = ""]) => failure.split(" ")[0]);
  expect(steps.toSorted()).toEqual(chosen.map(([, step]) => step).toSorted());
});
