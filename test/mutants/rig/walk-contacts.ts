import type { Role } from "../../../contract/engine/settings.ts";
import { base, contactsPath, emails, pick, some, type Walker } from "./walk-messages.ts";

/** Contacts that join, change and leave lists. */
export async function walkContacts({ call, confirm, at }: Walker): Promise<void> {
  const orders: number[][] = [[1], [2], [2, 1], [1, 2], [2, 3, 1]];
  const firsts: object[] = [
    {},
    { first_name: "Ada" },
    {
      tags: ["a", "b", "c"],
      fields: { city: "X", orders: -3, birthday: "1990-01-02", website: "https://a.example" },
    },
    { consent: { detail: "Walk" } },
  ];
  const updates: object[] = [
    {
      first_name: "Bea",
      last_name: "Lee",
      tags: ["a", "d"],
      fields: { city: "Y", orders: 5, birthday: "1991-01-02", website: "https://b.example" },
    },
    { first_name: "Di", last_name: "Noe", tags: ["f"], fields: { city: "Z", orders: 7, website: null } },
    {
      first_name: "Cy",
      last_name: "Moe",
      tags: ["e"],
      fields: { city: null, orders: null, birthday: null, website: null },
      consent: { detail: "Again" },
    },
    { fields: { city: null } },
  ];
  const wrong: object[] = [
    { first_name: "n".repeat(121) },
    { last_name: "n".repeat(121) },
    { tags: some(21) },
    { tags: ["t".repeat(61)] },
    { fields: { nothing: "1" } },
    { fields: { orders: "many" } },
    { fields: { birthday: "soon" } },
    { fields: { website: "none" } },
  ];
  const leaves: object[][] = [
    [{}],
    [{ list_id: 2 }],
    [{ list_id: 2, reason: "r" }],
    [{ list_id: 2 }, { list_id: 3 }],
    [{ list_id: 2 }, {}],
    [{ reason: "r" }],
    [{ list_id: 1 }],
  ];
  const fixtures = ["cleaned", "complained"].map((name) => `${name}@readers.example`);
  for (const email of fixtures)
    for (const more of updates.slice(0, 2))
      await call("POST", contactsPath, { body: { email, list_id: 1, ...more } });
  // Each order with each way to leave.
  for (let count = 0; count < orders.length * leaves.length; count += 1) {
    const [lists, first, bodies] = [pick(orders, count), pick(firsts, count), pick(leaves, count)];
    const email = count % 3 === 0 ? `Walk${count}@Readers.example` : `walk${count}@readers.example`;
    const path = `${contactsPath}/${encodeURIComponent(email.toLowerCase())}`;
    const read = async () => {
      for (const role of ["full", "second", "otherAccount"] as const) await call("GET", path, { role });
    };
    const post = (more: object, role: Role = "full") =>
      call("POST", contactsPath, { body: { email, ...more }, role });
    for (const list_id of lists) await post({ list_id, ...first });
    await read();
    const list_id = lists[0];
    for (const [index, more] of updates.entries()) {
      await post({ list_id, ...more }, index % 2 ? "second" : "full");
      if (index === 0) await read();
    }
    for (const more of count % 5 ? [] : wrong) await post({ list_id, ...more });
    if (lists.includes(1) && count % 2) {
      await confirm(email.toLowerCase(), 1);
      await read();
      await post({ list_id: 1, first_name: "Confirmed" });
    }
    for (const [index, body] of bodies.entries())
      await call("POST", `${path}/unsubscribe`, { body, role: (index + count) % 2 ? "second" : "full" });
    await read();
    for (const [index, more] of updates.entries())
      await post({ list_id: 2, ...more }, index % 2 ? "second" : "full");
    await read();
    if (count % 6) continue;
    const to = {
      ...base,
      to: ["success@simulator.example", email.toLowerCase()],
      cc: [email.toLowerCase()],
    };
    await call("POST", emails, { body: to });
    await call("POST", emails, { body: { ...to, scheduled_at: at(400) } });
    await call("POST", `${emails}/batch`, { body: { emails: [to] } });
  }
}
