import { expect, test } from "vitest";
import { confirm } from "../../../sandbox/domain/contacts.ts";
import { start, startRig, time } from "../rig.ts";
import { add, kept, known, list, pathOf, states, statusOn } from "./contacts.ts";

test.each(states)("a contact who is %s can leave one list, and keeps the others", async (status) => {
  const rig = await startRig();
  await add(rig, { email: known(status), list_id: 3 });
  const response = await rig.post(`${pathOf(known(status))}/unsubscribe`, { list_id: list, reason: "Moved" });
  expect(response.status).toBe(200);
  expect(await statusOn(rig, known(status), list)).toBe("unsubscribed");
  expect(await statusOn(rig, known(status), 3)).toBe("subscribed");
  expect(response.body.marketing_blocked).toBe(false);
  const contact = await kept(rig, known(status));
  expect(contact.memberships.find(({ listId }) => listId === list)?.reason).toBe("Moved");
});

test.each(states)("a contact who is %s can leave everything, and nothing puts it back", async (status) => {
  const rig = await startRig();
  const response = await rig.post(`${pathOf(known(status))}/unsubscribe`, {});
  expect(response.body.marketing_blocked).toBe(true);
  const later = await add(rig, { email: known(status), list_id: 3 });
  expect([later.status, later.body.status]).toEqual([201, "unsubscribed"]);
  const again = await add(rig, { email: known(status), list_id: list });
  expect([again.status, again.body.status]).toEqual([200, "unsubscribed"]);
  const { body } = await rig.get(pathOf(known(status)));
  expect(body.lists.every((membership: { status: string }) => membership.status === "unsubscribed")).toBe(
    true,
  );
});

test("a contact who left everything gets no confirmation email for a further list", async () => {
  const rig = await startRig();
  await add(rig);
  await rig.post(`${pathOf("new@readers.example")}/unsubscribe`, {});
  const response = await add(rig, { list_id: list });
  expect([response.status, response.body.status]).toEqual([201, "unsubscribed"]);
  expect(await rig.sandbox.outbox.messages()).toEqual([]);
});

test("a confirmation that is clicked after leaving does not subscribe again", async () => {
  const rig = await startRig();
  await add(rig, { list_id: list });
  const token = (await kept(rig, "new@readers.example")).memberships[0]?.confirmation ?? "";
  await rig.post(`${pathOf("new@readers.example")}/unsubscribe`, { list_id: list });
  expect(confirm(await kept(rig, "new@readers.example"), token, start)).toBeUndefined();
});

test("a contact who left a list before keeps the time of leaving", async () => {
  const rig = await startRig();
  const before = (await rig.get(pathOf(known("unsubscribed")))).body.lists[0].unsubscribed_at;
  await rig.sandbox.clock.advance(60_000);
  const { body } = await rig.post(`${pathOf(known("unsubscribed"))}/unsubscribe`, {});
  expect(body.lists.map((membership: { unsubscribed_at: string }) => membership.unsubscribed_at)).toEqual([
    before,
    time(start + 60_000),
  ]);
});

test("transactional mail still reaches a contact who left everything", async () => {
  const rig = await startRig();
  await rig.post(`${pathOf(known("subscribed"))}/unsubscribe`, {});
  const message = { from: "a@bakery.example", to: [known("subscribed")], subject: "s", text: "t" };
  expect((await rig.post("/api/v1/emails", message)).body.suppressed).toEqual([]);
});

test("leaving a list that the contact is not on, or that the account does not have, is rejected", async () => {
  const rig = await startRig();
  for (const listId of [3, 11, 999]) {
    const response = await rig.post(`${pathOf(known("subscribed"))}/unsubscribe`, { list_id: listId });
    expect(response.status, `list ${listId}`).toBe(404);
  }
});
