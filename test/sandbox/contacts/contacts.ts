import type { Rig } from "../rig.ts";

/** The path of all contacts. */
export const contacts = "/api/v1/newsletter/contacts";
/** The path of a contact. */
export const pathOf = (email: string) => `${contacts}/${encodeURIComponent(email)}`;
/** The email address of the demo contact with a status on the first list. */
export const known = (status: string) => `${status}@readers.example`;
export const states = ["pending", "subscribed", "unsubscribed", "cleaned", "complained"];
/** The demo list with double opt-in. */
export const list = 1;

export const add = ({ post }: Rig, change: object = {}) =>
  post(contacts, { email: "new@readers.example", list_id: 2, ...change });

export const statusOn = async ({ get }: Rig, email: string, listId: number): Promise<string | undefined> => {
  const { body } = await get(pathOf(email));
  return body.lists.find(({ list_id }: { list_id: number }) => list_id === listId)?.status;
};

/** What the store keeps of a contact. */
export const kept = async ({ sandbox }: Rig, email: string) => {
  const contact = await sandbox.store.contact("bakery", email);
  if (contact === undefined) throw new Error(`no contact ${email}`);
  return contact;
};
