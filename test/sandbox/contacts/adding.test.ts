import { describe, expect, test } from "vitest";
import { confirm } from "../../../sandbox/domain/contacts.ts";
import { keys, mail, start, startRig, time } from "../rig.ts";
import { add, contacts, kept, known, list, pathOf, states, statusOn } from "./contacts.ts";

describe("adding a contact", () => {
  test("subscribes it at once on a list without double opt-in", async () => {
    const rig = await startRig();
    const response = await add(rig, { email: "NEW@Readers.Example" });
    expect(response.status).toBe(201);
    expect(response.body).toMatchObject({
      email: "new@readers.example",
      status: "subscribed",
      subscribed_at: time(start),
    });
  });

  test("is pending on a list with double opt-in until it confirms", async () => {
    const rig = await startRig();
    const response = await add(rig, { list_id: list });
    expect([response.status, response.body.status, response.body.subscribed_at]).toEqual([
      201,
      "pending",
      null,
    ]);
    const contact = await kept(rig, "new@readers.example");
    const token = contact.memberships[0]?.confirmation ?? "";
    expect(token).toMatch(/^\w{20,}$/);
    expect(confirm(contact, "another", start)).toBeUndefined();
    const confirmed = confirm(contact, token, start + 1);
    expect(confirmed?.memberships[0]).toMatchObject({
      status: "subscribed",
      subscribedAt: start + 1,
      confirmation: null,
    });
  });

  test("sends a confirmation email of the service for a list with double opt-in only", async () => {
    const rig = await startRig();
    await add(rig, { list_id: list });
    await add(rig, { list_id: list });
    await add(rig, { list_id: 2 });
    await add(rig, { list_id: list, email: "gone@readers.example" });
    const mails = await rig.sandbox.outbox.messages();
    expect(mails.map(({ to, from }) => [from, ...to])).toEqual([
      ["newsletter@bakery.example", "new@readers.example"],
    ]);
    expect(mails[0]?.content.text).toContain('{"email":"new@readers.example","list_id":1}');
    expect((await rig.get(`/api/v1/emails/${mails[0]?.id}`)).status).toBe(404);
    const { headers } = await rig.post("/api/v1/emails", mail());
    expect(headers["x-service-monthly-remaining"]).toBe("9999");
  });

  test("stores the contact and its confirmation email in one step", async () => {
    const rig = await startRig();
    const { store } = rig.sandbox;
    // Whatever else were written after the contact would be lost.
    const lost = () => Promise.reject(new Error("the process has ended"));
    Object.assign(store, { accept: lost, change: lost, setSetting: lost });
    expect((await add(rig, { list_id: list })).body.status).toBe("pending");
    expect(await store.messages({ limit: 9 })).toHaveLength(1);
  });

  test("stores the consent; without one, that the contact came through the API", async () => {
    const rig = await startRig();
    const consent = { detail: "Asked at the fair", ip: "203.0.113.7", user_agent: "Firefox" };
    await add(rig, { consent });
    await add(rig, { email: "other@readers.example" });
    expect((await kept(rig, "new@readers.example")).memberships[0]?.consents).toEqual([
      { detail: "Asked at the fair", ip: "203.0.113.7", userAgent: "Firefox", at: start },
    ]);
    const [membership] = (await kept(rig, "other@readers.example")).memberships;
    expect(membership?.consents[0]?.detail).toMatch(/API/);
  });

  test("of another account's list is rejected, and adds nothing", async () => {
    const rig = await startRig();
    const response = await add(rig, { list_id: 11 });
    expect([response.status, response.type]).toEqual([404, "not_found"]);
    expect((await rig.get(pathOf("new@readers.example"))).status).toBe(404);
  });
});

test.each(states)("adding a contact who is %s changes details, and never the status", async (status) => {
  const rig = await startRig();
  const response = await add(rig, { email: known(status), list_id: list, first_name: "Nina", tags: ["a"] });
  expect([response.status, response.body.status, response.body.first_name]).toEqual([200, status, "Nina"]);
  expect(await statusOn(rig, known(status), list)).toBe(status);
});

test("without an email plan the newsletter works", async () => {
  const { post } = await startRig();
  const response = await post(contacts, { email: "a@b.example", list_id: 21 }, { key: keys.noEmail });
  expect(response.status).toBe(201);
});
