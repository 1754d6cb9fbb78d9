import type { Role } from "../../contract/engine/settings.ts";

/** What a walk needs of a server. */
export interface Walker {
  /** Sends a request and returns the body of the response. */
  call(method: string, path: string, given?: Given): Promise<Record<string, unknown>>;
  advance(seconds: number): Promise<unknown>;
  confirm(email: string, list: number): Promise<unknown>;
  /** A time some hours after the start, as UTC or with an offset such as `-05:00`. */
  at(hours: number, offset?: string): string;
}

interface Given {
  body?: unknown;
  role?: Role;
  key?: string;
}

const emails = "/api/v1/emails";
const contactsPath = "/api/v1/newsletter/contacts";
const attachment = { filename: "a.txt", content: "QQ==", content_type: "text/plain" };
const inline = { filename: "b.png", content: "QUI=", content_id: "logo" };
const linked = { filename: "c.pdf", path: "https://files.example.com/terms.pdf" };
const base = {
  from: "contract@bakery.example",
  to: ["success@simulator.example"],
  subject: "Walk",
  text: "Walk.",
  tags: { a: "1", b: "2", c: "3" },
};
const some = (count: number): string[] =>
  Array.from({ length: count }, (_, index) => `r${index}@readers.example`);
const copies = {
  cc: ["copy@readers.example", "success@simulator.example"],
  bcc: ["blind@readers.example", "success@simulator.example"],
};
const locals = ["success", "bounce", "complaint", "suppressionlist"].map((local) => ({
  to: [`${local}@simulator.example`],
}));
const suppressed = ["gone", "angry", "left"].map((name) => `${name}@readers.example`);

/** Messages that are accepted, immediate, scheduled or in a batch. */
const valid: object[] = [
  {},
  copies,
  ...locals,
  { to: some(3) },
  { to: some(12) },
  ...suppressed.map((address) => ({ to: [address, "success@simulator.example", "x@readers.example"] })),
  {
    to: ["success@simulator.example", ...suppressed, "x@readers.example"],
    cc: [suppressed[0], "y@readers.example"],
  },
  { ...copies, cc: [suppressed[1], "z@readers.example"], bcc: [suppressed[2], "w@readers.example"] },
  { from: "walk@shop.bakery.example" },
  { reply_to: "reply@readers.example", html: "<p>Walk.</p>", headers: { "X-Walk": "1" } },
  {
    subject: undefined,
    text: undefined,
    template_id: "order-ready",
    variables: { name: "Ada", order: "1042" },
  },
];

const withAttachments: object[] = [
  { attachments: [attachment] },
  ...locals.map((one) => ({ ...one, attachments: [attachment] })),
  { attachments: [attachment, attachment] },
  { attachments: [attachment, linked] },
  { attachments: [inline, attachment] },
  {
    attachments: Array.from({ length: 20 }, (_, index) => ({
      ...(index === 0 ? inline : attachment),
      filename: `${index}.txt`,
    })),
  },
];

const faultyAttachments = [
  { content: "QQ==" },
  { filename: "d.txt" },
  { filename: "d.txt", content: "?" },
  { filename: "d.txt", path: "http://files.example.com/terms.pdf" },
  { filename: "d.txt", path: "https://10.0.0.1/terms.pdf" },
];
const tagsOf = (count: number) =>
  Object.fromEntries(Array.from({ length: count }, (_, index) => [`X-T${index}`, "1"]));

const invalid: object[] = [
  { from: undefined },
  { from: "Walk <contract@bakery.example>" },
  { from: "contract@stopped.bakery.example" },
  { from: "contract@unverified.bakery.example" },
  { from: "contract@florist.example" },
  { to: undefined },
  { to: "success@simulator.example" },
  { to: ["nobody"] },
  { to: some(51) },
  { cc: some(51) },
  { bcc: some(51) },
  { subject: undefined },
  { text: undefined },
  { subject: "s".repeat(999) },
  { tags: tagsOf(21) },
  { tags: { "a b": "1" } },
  { headers: tagsOf(11) },
  { headers: { Sender: "1" } },
  { headers: { "X-Walk": "a\r\nb" } },
  { reply_to: "nobody" },
];
const onlySingle: object[] = [
  ...suppressed.map((address) => ({ to: [address] })),
  ...faultyAttachments.flatMap((one) => [
    { attachments: [one] },
    { attachments: [attachment, one] },
    { attachments: [{ ...one, content_id: "logo" }] },
  ]),
  ...[attachment, inline, linked].map((one) => ({ attachments: [...Array(20).fill(attachment), one] })),
];

/** Requests over most paths of the service, one after the other. */
export async function walk(walker: Walker): Promise<void> {
  const ids = await sends(walker);
  await batches(walker, ids);
  await changes(walker);
  await idempotency(walker);
  await contacts(walker);
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

async function contacts({ call, confirm, at }: Walker): Promise<void> {
  let count = 0;
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
  for (const lists of orders)
    for (const first of firsts)
      for (const bodies of leaves) {
        count += 1;
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
