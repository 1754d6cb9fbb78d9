import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";
import { exchangeOf, type ObservedExchange } from "../../contract/observe/subjects.ts";
import { operationsOfRequirement } from "../../contract/selection.ts";
import { operations } from "../../generated/operations.ts";
import type { TrafficExchange } from "../../scripts/observe/traffic.ts";
import { folderWith } from "../contract/config/folder.ts";
import { recordedSandbox } from "./proxied.ts";
import { message, observed, withConfiguration } from "./samples.ts";

/** A request of each operation and its response; of lookups, also those after changes. */
async function trafficOfAll(): Promise<ObservedExchange[]> {
  const text = await readFile(await recordedSandbox(folderWith(), useAll), "utf8");
  return text
    .split("\n")
    .map((line) => JSON.parse(line) as TrafficExchange)
    .map(({ url, ...one }) => ({ ...one, path: new URL(url).pathname }));
}

async function useAll(baseUrl: string): Promise<void> {
  const headers = { authorization: "Bearer sandbox_all_2f7c", "content-type": "application/json" };
  const request = async (method: string, path: string, body?: object): Promise<{ id?: string }> => {
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    return (await (await fetch(`${baseUrl}/api/v1${path}`, init)).json()) as { id?: string };
  };
  const inHours = (hours: number): string => new Date(Date.now() + hours * 3_600_000).toISOString();
  const attachments = [{ filename: "a.txt", content: "aGVsbG8=" }];
  const sent = await request("POST", "/emails", message);
  await request("GET", `/emails/${sent.id}`);
  await request("POST", "/emails/batch", { emails: [message] });
  await request("POST", "/emails/batch", { emails: [{ ...message, attachments }] });
  const scheduled = await request("POST", "/emails", { ...message, scheduled_at: inHours(1) });
  const own = `/emails/${scheduled.id}`;
  await request("GET", own);
  await request("PATCH", own, { scheduled_at: inHours(2) });
  await request("GET", own);
  await request("DELETE", own);
  await request("GET", own);
  await request("GET", own);
  const contact = "/newsletter/contacts/ada%40readers.example";
  await request("GET", "/newsletter/lists");
  await request("GET", "/newsletter/fields");
  await request("POST", "/newsletter/contacts", { email: "ada@readers.example", list_id: 1 });
  await request("GET", contact);
  await request("POST", `${contact}/unsubscribe`, {});
  await request("GET", contact);
  await request("GET", "/me");
}

const operationIn = (one: ObservedExchange): string => exchangeOf(one).request.operation ?? "";
const passedIn = (...args: Parameters<typeof observed>): string[] => [
  ...observed(...args).tally.passes.keys(),
];

it("a request passes no requirement that is about other operations only", async () => {
  const traffic = await trafficOfAll();
  expect(new Set(traffic.map(operationIn))).toEqual(new Set(Object.keys(operations)));
  const others = traffic.flatMap((one) =>
    [{}, withConfiguration].flatMap((options) =>
      passedIn([one], options)
        .filter((id) => !operationsOfRequirement(id).includes(operationIn(one)))
        .map((id) => `${operationIn(one)} ${id}`),
    ),
  );
  expect(others).toEqual([]);
});

it("a lookup alone passes no requirement on what follows another request", async () => {
  const traffic = await trafficOfAll();
  const ofChanges = ["SCHED-9", "SCHED-10", "SCHED-14", "UNSUB-2"];
  const lookups = traffic.filter(({ method }) => method === "GET");
  expect(passedIn(lookups).filter((id) => ofChanges.includes(id))).toEqual([]);
  expect(passedIn(traffic)).toEqual(expect.arrayContaining(["BATCH-9", "SCHED-9", "SCHED-14", "UNSUB-2"]));
});
