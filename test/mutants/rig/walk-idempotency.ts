import { attachment, base, contactsPath, copies, emails, inline, type Walker } from "./walk-messages.ts";

/** Replays and conflicts, also after later changes. */
export async function walkIdempotency({ call, at, advance }: Walker): Promise<void> {
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
  await advance(48 * 3600);
  await call("POST", emails, { body: base });
}
