import { expect, onTestFinished, test } from "vitest";
import { hour, startRig } from "../rig.ts";
import { startSmtpHost } from "./smtp-host.ts";

test("closing waits a few seconds at most for a server that does not respond", async () => {
  const arrived = Promise.withResolvers<void>();
  const host = await startSmtpHost({
    message: () => {
      arrived.resolve();
      return new Promise(() => {});
    },
  });
  onTestFinished(() => host.close());
  const { client, sandbox } = await startRig({ smtp: host.url });
  await client.emails.send({
    from: "orders@bakery.example",
    to: ["ada@customers.example"],
    subject: "Your order",
    text: "It is ready.",
  });
  // It finds no store any more in the end.
  const moved = sandbox.clock.advance(hour).catch(() => {});
  await arrived.promise;
  await expect(sandbox.close()).resolves.toBeUndefined();
  await moved;
}, 15_000);
