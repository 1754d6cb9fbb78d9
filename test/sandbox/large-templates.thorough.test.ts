import { expect, test } from "vitest";
import { mail, startRig, without } from "./rig.ts";

test.each(["&", "\n", "x"])("a template filled with megabytes of %j is too large", async (unit) => {
  const { post } = await startRig();
  // In HTML, the ampersands have 100 megabytes, and the template has them twice.
  const values = { name: unit.repeat(20 * 1024 * 1024), order: { list: [unit.repeat(1024)] } };
  const sent = without(mail({ template_id: "order-ready", variables: values }), "subject", "text");
  const response = await post("/api/v1/emails", sent);
  expect([response.status, response.type]).toEqual([413, "send_rejected"]);
});
