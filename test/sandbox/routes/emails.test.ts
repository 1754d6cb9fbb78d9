import { expect, test } from "vitest";
import { mail, startRig } from "../rig.ts";

test("a message is taken, and read back as sent", async () => {
  const { post, get } = await startRig();
  const taken = await post("/api/v1/emails", mail({ tags: { order: "1042" } }));
  expect(taken.status).toBe(202);
  expect(taken.body).toMatchObject({ to: ["ada@customers.example"], suppressed: [] });
  const found = await get(`/api/v1/emails/${taken.body.id}`);
  expect(found.body).toMatchObject({ status: "sent", subject: "Your order", tags: { order: "1042" } });
});
