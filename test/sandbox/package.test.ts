import { startSandbox } from "email-api-contract/sandbox";
import { expect, test } from "vitest";

test("a sandbox is started from the package, as tests of others do", async () => {
  const sandbox = await startSandbox({ clock: { frozen: true } });
  const headers = {
    authorization: `Bearer ${sandbox.keys["all abilities"]}`,
    "content-type": "application/json",
  };
  const message = {
    from: "orders@bakery.example",
    to: ["success@simulator.example"],
    subject: "Hello",
    text: "You",
  };
  const answer = await sandbox.fetch("/api/v1/emails", {
    method: "POST",
    headers,
    body: JSON.stringify(message),
  });
  const { id } = (await answer.json()) as { id: string };
  await sandbox.clock.advance(60_000);
  const [sent] = await sandbox.outbox.messages();
  expect(sent).toMatchObject({ id, status: "delivered" });
  if (sent === undefined) return;
  expect(new TextDecoder().decode(await sandbox.outbox.eml(sent))).toContain("Subject: Hello");
  await sandbox.close();
});
