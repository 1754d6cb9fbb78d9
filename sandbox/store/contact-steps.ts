import type { Store } from "../domain/store.ts";
import { changeContact } from "./acceptance.ts";
import type { Session } from "./session.ts";

type ContactSteps = Pick<
  Store,
  "suppress" | "unsuppress" | "suppressions" | "contact" | "contacts" | "changeContact"
>;

/** The steps of a store about people: contacts, and addresses that are not written to any more. */
export function contactSteps(session: Session): ContactSteps {
  return {
    suppress: (accountId, address, reason, at) =>
      session.write(({ suppressions }) => suppressions.add(accountId, { address, reason, at })),
    unsuppress: (accountId, address) =>
      session.write(({ suppressions }) => suppressions.remove(accountId, address)),
    suppressions: (accountId) => session.read(({ suppressions }) => suppressions.list(accountId)),
    contact: (accountId, email) => session.read(({ contacts }) => contacts.find(accountId, email)),
    contacts: (query) => session.read(({ contacts }) => contacts.page(query)),
    changeContact: (change) => changeContact(session.tables, change, session.due.note),
  };
}
