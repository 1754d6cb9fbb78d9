import { expect, it } from "vitest";
import { createRun, openSandbox } from "./harness.ts";

it("the mailbox has the mail that was sent, also while newer mail to the same recipient is pending", async () => {
  const { sandbox, time } = await openSandbox();
  const { mailbox } = createRun(sandbox, time);
  const to = "ada@readers.example";
  const send = async (changes: Record<string, unknown>): Promise<number> => {
    const body = JSON.stringify({ from: "a@bakery.example", to: [to], subject: "s", text: "t", ...changes });
    const authorization = `Bearer ${sandbox.keys["all abilities"]}`;
    const headers = { authorization, "content-type": "application/json" };
    return (await sandbox.fetch("/api/v1/emails", { method: "POST", headers, body })).status;
  };
  expect(await mailbox?.messagesTo(to)).toEqual([]);
  expect(await send({})).toBe(202);
  expect(await send({ scheduled_at: new Date(sandbox.clock.now() + 3_600_000).toISOString() })).toBe(202);
  expect(await mailbox?.messagesTo(to)).toHaveLength(1);
  await sandbox.close();
});
