import { expect, test } from "vitest";
import { keys, mail, start } from "../rig.ts";
import { startTwo } from "./instances.ts";

test("requests in flight during a reset by another instance succeed, and belong to one side of it", async () => {
  const [one, other] = await startTwo({ requestsPerMinute: 1e9 });
  let wanted = true;
  const statuses = new Map<number, number>();
  const headers = { authorization: `Bearer ${keys.all}`, "content-type": "application/json" };
  const send = async ({ sandbox }: typeof one): Promise<void> => {
    while (wanted) {
      const init = { method: "POST", headers, body: JSON.stringify(mail()) };
      const { status } = await fetch(`${sandbox.url}/api/v1/emails`, init);
      statuses.set(status, (statuses.get(status) ?? 0) + 1);
    }
  };
  const callers = [one, other, one, other, one, other].map(send);
  for (let resets = 0; resets < 5; resets += 1) {
    await new Promise((resolve) => setTimeout(resolve, 50));
    await (resets % 2 === 0 ? one : other).sandbox.reset();
  }
  wanted = false;
  await Promise.all(callers);
  expect([...statuses.keys()]).toEqual([202]);
  await Promise.all([one, other].map(({ sandbox }) => sandbox.store.refresh()));
  const messages = await one.sandbox.store.messages({ limit: 1e6 });
  expect((await other.sandbox.store.messages({ limit: 1e6 })).map(({ id }) => id)).toEqual(
    messages.map(({ id }) => id),
  );
  expect(messages.length).toBeLessThan(statuses.get(202) ?? 0);
  expect(await one.sandbox.store.used("bakery", Date.now())).toBe(messages.length);
});

test("with a frozen clock, the request log is in the order in which requests came, whichever instance got them", async () => {
  const [one, other] = await startTwo({ clock: { frozen: true, startAt: start } });
  const sent: string[] = [];
  for (let number = 0; number < 12; number += 1) {
    const { headers } = await (number % 2 === 0 ? one : other).call("GET", "/api/v1/me");
    sent.unshift(headers["x-service-request-id"] ?? "");
  }
  // Each instance writes what it has gathered before it reads.
  await one.sandbox.store.loggedRequests({ limit: 1 });
  const { store } = other.sandbox;
  const logged = (await store.loggedRequests({ limit: 99 })).map(({ requestId }) => requestId);
  expect(logged).toEqual(sent);
  const page = await store.loggedRequests({ limit: 3, before: sent[4] ?? "" });
  expect(page.map(({ requestId }) => requestId)).toEqual(sent.slice(5, 8));
  expect(await store.loggedRequests({ limit: 3, before: "req_unknown" })).toEqual([]);
});
