import { randomUUID } from "node:crypto";
import { refuseLarge } from "./attachment-rules.ts";
import type { Answer, Call } from "./call.ts";
import { recipientsOf, recordOf, stateOf } from "./course.ts";
import { messageFaults, timeFaults } from "./message-rules.ts";
import { Faults, isRecord, Refusal, recordIn } from "./refusal.ts";
import { once } from "./replay.ts";
import type { Mail } from "./world.ts";

/** How long a message of a batch waits before it leaves, in milliseconds. */
const batchPause = 120;
const month = 30 * 86_400_000;

type Given = Record<string, unknown>;

export function send(call: Call): Answer {
  const given = recordIn(call.text);
  refuseLarge(given);
  const faults = new Faults();
  const { now } = call.world;
  messageFaults(given, { at: "", inBatch: false, now: now(), templates: call.own.account.templates }, faults);
  faults.end();
  return once(call, () => {
    const planned = given.scheduled_at === undefined ? null : time(given.scheduled_at);
    const [mail, suppressed] = accept(call, given, { planned, leaves: planned ?? now() });
    call.world.mail.set(mail.id, mail);
    const body =
      planned === null
        ? { suppressed, to: mail.to, id: mail.id }
        : { scheduled_at: new Date(planned).toISOString(), suppressed, id: mail.id };
    return { status: 202, body, headers: allowance(call) };
  });
}

const time = (value: unknown): number => Date.parse(String(value).toUpperCase());

export function sendBatch(call: Call): Answer {
  const { emails } = recordIn(call.text);
  const faults = new Faults();
  const now = call.world.now();
  if (faults.unless(Array.isArray(emails), "emails", "has to be a list")) {
    const list = emails as unknown[];
    faults.unless(list.length >= 1 && list.length <= 100, "emails", "has to have 1 to 100 messages");
    for (const [index, one] of list.entries()) {
      if (!faults.unless(isRecord(one), `emails.${index}`, "has to be an object")) continue;
      const place = { at: `emails.${index}.`, inBatch: true, now, templates: call.own.account.templates };
      messageFaults(one as Given, place, faults);
    }
  }
  faults.end();
  return once(call, () => {
    const taken = (emails as Given[]).map((one) =>
      accept(call, one, { planned: null, leaves: now + batchPause, inBatch: true }),
    );
    for (const [mail] of taken) call.world.mail.set(mail.id, mail);
    const data = taken.map(([{ id }, suppressed]) => ({ suppressed, id }));
    return { status: 201, body: { data }, headers: allowance(call) };
  });
}

/** Checks all that has to do with the account, and makes the message. */
function accept(
  { own, key }: Call,
  given: Given,
  { planned, leaves, inBatch = false }: { planned: number | null; leaves: number; inBatch?: boolean },
): [Mail, string[]] {
  const from = String(given.from);
  const domain = from.slice(from.indexOf("@") + 1).toLowerCase();
  const state = own.account.domains[domain];
  const refuse = (status: number, words: string) => new Refusal(status, "send_rejected", words);
  if (state !== undefined && key.only !== undefined && key.only !== domain)
    throw refuse(403, "This key sends from one domain only, and not from that one.");
  if (state === undefined) throw refuse(422, "No domain of yours is set up for that from address.");
  if (state === "waiting") throw refuse(409, "That domain is still being verified.");
  if (state === "halted") throw refuse(409, "Sending from that domain was halted.");
  if (own.account.ceilingReached) throw refuse(429, "No more for now: the account is at its ceiling.");
  const lists = ["to", "cc", "bcc"].map((name) => (given[name] ?? []) as string[]);
  const isStopped = (address: string): boolean => own.stopped.has(address.toLowerCase());
  const suppressed = [...new Set(lists.flat().filter(isStopped))];
  const [to = [], cc = [], bcc = []] = lists.map((list) => list.filter((address) => !isStopped(address)));
  if (to.length + cc.length + bcc.length === 0) throw refuse(422, "Sending to all of them has stopped.");
  const mail: Mail = {
    id: planned === null && !inBatch ? randomUUID() : `sched_${randomUUID()}`,
    account: own.name,
    from,
    to,
    copies: [...cc, ...bcc],
    subject: String(given.subject ?? "Tides of today"),
    tags: (given.tags ?? {}) as Record<string, string>,
    planned,
    leaves,
    canceled: false,
  };
  return [mail, suppressed];
}

/** The headers that tell the allowance: what has left this month is taken from it. */
function allowance({ world, own }: Call): Record<string, string> {
  const now = world.now();
  const thisMonth = new Date(now).toISOString().slice(0, 7);
  const used = [...world.mail.values()]
    .filter(({ account, canceled, leaves }) => account === own.name && !canceled && leaves <= now)
    .filter(({ leaves }) => new Date(leaves).toISOString().startsWith(thisMonth))
    .reduce((sum, mail) => sum + recipientsOf(mail), 0);
  const left = Math.max(0, own.account.allowance - used);
  return {
    "X-Service-Monthly-Remaining": String(left),
    "X-Service-Monthly-Quota": String(own.account.allowance),
  };
}

function found({ world, own, part }: Call): Mail {
  const mail = world.mail.get(part);
  if (mail === undefined || mail.account !== own.name || mail.leaves < world.now() - month)
    throw new Refusal(404, "not_found", "You have no message with this id.");
  return mail;
}

export const lookUp = (call: Call): Answer => ({
  status: 200,
  body: recordOf(found(call), call.world.now()),
});

export function move(call: Call): Answer {
  const mail = found(call);
  const { scheduled_at } = recordIn(call.text);
  const faults = new Faults();
  timeFaults(scheduled_at, call.world.now(), faults);
  faults.end();
  if (stateOf(mail, call.world.now()) !== "scheduled")
    throw new Refusal(409, "not_reschedulable", "Too late, or not one that waits.");
  mail.planned = time(scheduled_at);
  mail.leaves = mail.planned;
  return { status: 202, body: {} };
}

export function callOff(call: Call): Answer {
  const mail = found(call);
  const state = stateOf(mail, call.world.now());
  if (state !== "scheduled" && state !== "canceled")
    throw new Refusal(409, "not_cancellable", "It is on its way.");
  mail.canceled = true;
  return { status: 202, body: { status: "canceled" } };
}
