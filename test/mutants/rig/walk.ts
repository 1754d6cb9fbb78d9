import { walkContacts } from "./walk-contacts.ts";
import { walkIdempotency } from "./walk-idempotency.ts";
import {
  attachment,
  base,
  contactsPath,
  copies,
  emails,
  invalid,
  locals,
  onlySingle,
  pick,
  some,
  valid,
  type Walker,
  withAttachments,
} from "./walk-messages.ts";

export interface Walk {
  /** The topics of the mutants that it most likely shows. */
  topics: RegExp;
  walk(walker: Walker): Promise<void>;
}

/** Requests over most paths of the service, one after the other. */
export const walks: readonly Walk[] = [
  { topics: /^IDEM/, walk: walkIdempotency },
  { topics: /^BATCH/, walk: async (walker) => readAll(walker, await batches(walker)) },
  { topics: /^(SEND|ATT|SCHED-[2-7]$)/, walk: async (walker) => readAll(walker, await sends(walker)) },
  { topics: /^(SCHED|SIM|DELIV)/, walk: changes },
  { topics: /^(CONT|MEMB|UNSUB|LIST)/, walk: walkContacts },
];

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

async function batches({ call }: Walker): Promise<string[]> {
  const ids: string[] = [];
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
  return ids;
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
  // Each plan with half of the kinds.
  for (let count = 0; count < (kinds.length / 2) * plans.length; count += 1) {
    const one = pick(kinds, count);
    const [first = 0, ...moves] = pick(plans, count);
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
    if (count % 3 === 0) await call("DELETE", path, { role: moves.length % 2 ? "second" : "full" });
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
