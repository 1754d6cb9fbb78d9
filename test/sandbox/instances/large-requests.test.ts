import { expect, test } from "vitest";
import { keys, mail } from "../rig.ts";
import { startTwo } from "./instances.ts";

test("a large request with an idempotency key is accepted, and replayed by the other instance", async () => {
  const [one, other] = await startTwo();
  const body = JSON.stringify(mail({ text: "x".repeat(100_000) }));
  const send = async ({ sandbox }: typeof one) => {
    const headers = {
      authorization: `Bearer ${keys.all}`,
      "content-type": "application/json",
      "idempotency-key": "a large one",
    };
    const response = await fetch(`${sandbox.url}/api/v1/emails`, { method: "POST", headers, body });
    return {
      status: response.status,
      replayed: response.headers.get("idempotent-replayed"),
      body: await response.json(),
    };
  };
  const first = await send(one);
  expect(first).toMatchObject({ status: 202, replayed: null });
  expect(await send(other)).toEqual({ ...first, replayed: "true" });
});
