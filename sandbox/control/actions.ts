import { confirm } from "../domain/contacts.ts";
import type { Account, Contact, Membership, Message } from "../domain/records.ts";
import { ClockEnd } from "../time/clock.ts";
import { ControlRefusal } from "./answer.ts";
import type { GatewayServices } from "./parts.ts";

type Parts = Pick<GatewayServices, "directory" | "store" | "clock">;

/** The account of that id; the first of the seed where none is named. */
export function accountOf(parts: Parts, id: string | undefined): Account {
  const accounts = parts.directory().accounts();
  const account = id === undefined ? accounts[0] : accounts.find((one) => one.id === id);
  if (account !== undefined) return account;
  const names = accounts.map((one) => one.id).join(", ");
  throw new ControlRefusal(404, `There is no account ${JSON.stringify(id)}.`, `The accounts are: ${names}.`);
}

/** Does what a contact does who clicks the confirmation that it was sent for a list. */
export async function confirmContact(parts: Parts, email: string, listId: number): Promise<Membership> {
  const { store, clock } = parts;
  const account = accountOfList(parts, listId);
  const now = clock.now();
  const { result } = (await store.changeContact<Membership | undefined>({
    accountId: account.id,
    email: email.toLowerCase(),
    now,
    idempotency: null,
    decide: (contact) => {
      const changed = confirmed(contact, listId, now);
      const result = changed?.memberships.find((membership) => membership.listId === listId);
      return {
        ...(changed === undefined ? {} : { contact: changed }),
        response: { status: 200, body: "" },
        result,
      };
    },
  })) as { result: Membership | undefined };
  if (result !== undefined) return result;
  throw new ControlRefusal(
    409,
    `${email} has no confirmation open for list ${listId}.`,
    "Add it to a list with double opt-in first; it is confirmed once, while it is pending.",
  );
}

function confirmed(contact: Contact | undefined, listId: number, now: number): Contact | undefined {
  const token = contact?.memberships.find((membership) => membership.listId === listId)?.confirmation;
  return contact === undefined || token === null || token === undefined
    ? undefined
    : confirm(contact, token, now);
}

function accountOfList({ directory }: Parts, listId: number): Account {
  const { accounts, list, account } = directory();
  const owner = accounts().find(({ id }) => list(id, listId) !== undefined);
  if (owner !== undefined) return account(owner.id);
  throw new ControlRefusal(
    404,
    `There is no list ${listId}.`,
    "The lists stand on the page /contacts, and in the seed.",
  );
}

/** An address as it is suppressed. */
export function addressOf(text: string): string {
  const address = text.trim().toLowerCase();
  if (/^[^\s@<>",;]+@[^\s@<>",;]+$/.test(address)) return address;
  throw new ControlRefusal(
    422,
    `${JSON.stringify(text.slice(0, 100))} is not an address.`,
    "Give one like ada@example.com.",
  );
}

/** A message of any account, by its id. */
export async function messageOf({ directory, store }: Parts, id: string): Promise<Message> {
  for (const account of directory().accounts()) {
    const message = await store.message(account.id, id);
    if (message !== undefined) return message;
  }
  throw new ControlRefusal(
    404,
    `There is no message ${JSON.stringify(id.slice(0, 100))}.`,
    "GET /sandbox/outbox lists them.",
  );
}

/** Moves the clock on by milliseconds. @throws ControlRefusal for more than the clock goes */
export async function advanceBy({ clock }: Pick<Parts, "clock">, milliseconds: number): Promise<void> {
  try {
    await clock.advance(milliseconds);
  } catch (error) {
    if (!(error instanceof ClockEnd)) throw error;
    throw new ControlRefusal(
      422,
      error.message,
      "Stay before that, or reset the sandbox (POST /sandbox/reset).",
    );
  }
}

/** Moves the clock on to a time. @throws ControlRefusal for one that is over, or further than the clock goes */
export async function advanceTo(parts: Pick<Parts, "clock">, to: number): Promise<void> {
  const ahead = to - parts.clock.now();
  if (ahead < 0)
    throw new ControlRefusal(
      409,
      "The clock does not go back.",
      "Name a later time, or reset the sandbox (POST /sandbox/reset).",
    );
  await advanceBy(parts, ahead);
}
