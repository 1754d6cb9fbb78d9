import { walkContacts } from "./walk-contacts.ts";
import {
  attachment,
  base,
  contactsPath,
  copies,
  emails,
  inline,
  invalid,
  locals,
  onlySingle,
  some,
  valid,
  type Walker,
  withAttachments,
} from "./walk-messages.ts";

/** Requests over most paths of the service, one after the other. */
export async function walk(walker: Walker): Promise<void> {
  const ids = await sends(walker);
  await batches(walker, ids);
  await changes(walker);
  await idempotency(walker);
  await walkContacts(walker);
  await readAll(walker, ids);
}

const readAll = async ({ call, advance, at }: Walker, ids: string[]): Promise<void> => {
  for (const seconds of [0, 60, 400, 3 * 3600, 5 * 24 * 3600]) {
    await advance(seconds);
    for (const id of ids) await call("GET", `${emails}/${id}`);
    await call("POST", emails, { body: base });
  }
  for (const id of ids) {
    await call("DELETE", `${emails}/${id}`);
    await call("PATCH", `${emails}/${id}`, { body: { scheduled_at: at(24) } });
  }
};

async function sends({ call, at }: Walker): Promise<string[]> {
  const ids: string[] = [];
  const offsets = ["Z", "+01:00", "-05:00", "+05:30", "-11:00"];
  for (const [index, one] of [...valid, ...withAttachments].entries()) {
    const times = { scheduled_at: at(2, offsets[index % offsets.length]) };
    for (const more of [{}, times]) {
      const { id } = await call("POST", emails, {
        body: { ...base, ...one, ...more },
        role: index % 2 ? "second" : "full",
      });
      if (id !== undefined) ids.push(String(id));
    }
  }
  for (const one of [...invalid, ...onlySingle])
    for (const more of [{}, { scheduled_at: at(2) }])
      await call("POST", emails, { body: { ...base, ...one, ...more } });
  for (const hours of [14, 20, 719])
    await call("POST", emails, { body: { ...base, scheduled_at: at(hours, "+14:00") } });
  await call("PUT", `${emails}/${ids[0]}`);
  await call("PUT", `${contactsPath}/a%40readers.example/unsubscribe`);
  await call("GET", "/api/v1/newsletter/fields");
  await call("GET", "/api/v1/newsletter/lists");
  return ids;
}

async function batches({ call }: Walker, ids: string[]): Promise<void> {
  const first = { ...base, subject: "First" };
  const all = valid.map((one, index) => ({ ...base, subject: `M${index}`, ...one }));
  const given = [
    all,
    all.slice(0, 4),
    all.toReversed(),
    [first],
    [first, base, { ...base, ...copies }],
    [first, first],
  ];
  for (const messages of given) {
    const { data } = await call("POST", `${emails}/batch`, { body: { emails: messages } });
    ids.push(...((data ?? []) as { id: string }[]).map(({ id }) => id));
  }
  for (const one of [...invalid, { attachments: [attachment] }, { scheduled_at: "2099-01-01T00:00:00Z" }])
    for (const before of [[first], [first, base], [first, base, base]])
      await call("POST", `${emails}/batch`, { body: { emails: [...before, { ...base, ...one }] } });
  await call("POST", `${emails}/batch`, {
    body: { emails: [first, { ...base, to: [] }, { ...base, to: undefined }] },
  });
}

async function changes({ call, at, advance }: Walker): Promise<void> {
  const ids: string[] = [];
  const read = async () => {
    for (const id of ids)
      for (const role of ["full", "second", "otherAccount"] as const)
        await call("GET", `${emails}/${id}`, { role });
  };
  const plans = [[4], [4, 6], [4, 2], [4, 6, 3], [4, 6, 4, 5], [200, 400], [3, 2]];
  const kinds = [{}, copies, { attachments: [attachment] }, { to: some(3) }, ...locals];
  for (const one of kinds)
    for (const [first = 0, ...moves] of plans)
      for (const cancels of [false, true]) {
        const { id } = await call("POST", emails, { body: { ...base, ...one, scheduled_at: at(first) } });
        ids.push(String(id));
        const path = `${emails}/${id}`;
        const hours = [...moves.entries()];
        for (const [index, time] of hours) {
          const offset = ["-11:00", "+05:30", "-05:00"][index];
          await call("PATCH", path, {
            body: { scheduled_at: at(time, offset) },
            role: index % 2 ? "second" : "full",
          });
          await call("PATCH", path, { body: { scheduled_at: at(900) } });
          await call("PATCH", path, { body: { scheduled_at: "soon" } });
          await call("PATCH", path, { body: { scheduled_at: at(time) }, role: "otherAccount" });
          await call("GET", path);
        }
        if (cancels) await call("DELETE", path, { role: moves.length % 2 ? "second" : "full" });
        await call("DELETE", path, { role: "otherAccount" });
        await call("PATCH", path, { body: { scheduled_at: at(5) }, role: "otherAccount" });
      }
  await read();
  for (const hours of [2.5, 1, 1, 1, 1]) {
    await advance(hours * 3600);
    await read();
    await call("POST", emails, { body: base });
  }
  for (const id of ids) await call("PATCH", `${emails}/${id}`, { body: { scheduled_at: at(90) } });
  for (const id of ids) await call("DELETE", `${emails}/${id}`);
}

async function idempotency({ call, at, advance }: Walker): Promise<void> {
  const contact = {
    email: "Key@readers.example",
    list_id: 2,
    first_name: "A",
    last_name: "B",
    fields: { city: "C" },
    tags: ["t"],
  };
  const rich = {
    ...base,
    ...copies,
    to: [...base.to, "gone@readers.example"],
    html: "<p>A</p>",
    reply_to: "r@readers.example",
    headers: { "X-A": "1" },
    attachments: [attachment],
  };
  const scheduled = { ...rich, scheduled_at: at(40) };
  const { attachments: _, ...message } = rich;
  const batch = { emails: [message, { ...message, subject: "Two" }, { ...message, subject: "Three" }] };
  const other = (name: string): object => ({
    [name]:
      {
        cc: ["n@readers.example"],
        bcc: ["n@readers.example"],
        to: ["n@readers.example"],
        headers: { "X-A": "2" },
        tags: { a: "9" },
        fields: { city: "D" },
        attachments: [inline],
        scheduled_at: at(41),
        list_id: 3,
      }[name] ?? "n@readers.example",
  });
  const variants: [string, object, object[]][] = [
    [
      emails,
      rich,
      ["cc", "bcc", "text", "html", "headers", "attachments", "reply_to"].map((name) => ({
        ...rich,
        ...other(name),
      })),
    ],
    [
      emails,
      scheduled,
      [
        { ...scheduled, ...other("scheduled_at") },
        { ...scheduled, subject: "n" },
      ],
    ],
    [
      `${emails}/batch`,
      batch,
      [
        { emails: batch.emails.toReversed() },
        { emails: [...batch.emails.slice(0, 2), message] },
        ...["to", "subject", "tags", "cc"].map((name) => ({
          emails: batch.emails.map((one) => ({ ...one, ...other(name) })),
        })),
      ],
    ],
    [
      contactsPath,
      contact,
      [
        ...["first_name", "last_name", "fields", "list_id"].map((name) => ({ ...contact, ...other(name) })),
        { ...contact, tags: ["u"] },
      ],
    ],
  ];
  let count = 0;
  for (const [path, body, others] of variants) {
    for (const one of others) {
      count += 1;
      const key = `walk-${count}`;
      const given = path === contactsPath ? { ...body, email: `Key${count}@readers.example` } : body;
      const different = path === contactsPath ? { ...one, email: `Key${count}@readers.example` } : one;
      const send = (sent: object) => call("POST", path, { body: sent, key });
      const { id } = await send(given);
      await send(different);
      for (let replay = 0; replay < 3; replay += 1) await send(given);
      await send(different);
      await send(different);
      await send(given);
      if (path === contactsPath) {
        await call("POST", path, { body: { ...given, first_name: "Later" } });
        await send(given);
        await call(
          "POST",
          `${path}/${encodeURIComponent(String((given as { email: string }).email))}/unsubscribe`,
          { body: {} },
        );
        await send(given);
      }
      if (path === emails && "scheduled_at" in body) {
        if (count % 2) await call("PATCH", `${emails}/${id}`, { body: { scheduled_at: at(50) } });
        else await call("DELETE", `${emails}/${id}`);
        await send(given);
      }
    }
    const early = `early ${path}`;
    await call("POST", path, { body, key: early });
    await call("POST", path, { body, key: early });
    await call("POST", path, { body: { ...body, ...others[0] }, key: early });
    await call("POST", emails, { body: base });
  }
  const soon = { body: { ...base, scheduled_at: at(2) }, key: "soon" };
  const { id } = await call("POST", emails, soon);
  await advance(6 * 3600);
  await call("GET", `${emails}/${id}`);
  await call("POST", emails, soon);
}
