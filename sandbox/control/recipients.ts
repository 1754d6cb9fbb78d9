import { confirm } from "../domain/contacts.ts";
import type { Membership } from "../domain/records.ts";
import { writeTimeOrNull } from "../domain/times.ts";
import {
  accountField,
  ControlError,
  type Field,
  findAccount,
  type GatewayServices,
  json,
  type Operation,
} from "./operation.ts";
import { membershipView } from "./records.ts";

const email: Field = {
  type: "string",
  description: "an email address",
  pattern: '^\\s*[^\\s@<>",;]+@[^\\s@<>",;]+\\s*$',
  maxLength: 1000,
};

const account = accountField("the first of the seed");

interface Confirming {
  email: string;
  list_id: number;
  /** Of the link. */
  token?: string;
}

/**
 * Confirms a pending membership.
 * @param token only if it is the one of the confirmation email
 */
export async function confirmMembership({ directory, store, clock }: GatewayServices, input: Confirming) {
  const { list_id: listId } = input;
  const email = input.email.trim().toLowerCase();
  const { accounts, list } = directory;
  const owner = accounts().find(({ id }) => list(id, listId) !== undefined);
  if (owner === undefined)
    throw new ControlError(`There is no list ${listId}.`, "The page /contacts shows the lists.", 404);
  const now = clock.now();
  let before: Membership | undefined;
  const { result } = (await store.changeContact<Membership | undefined>({
    accountId: owner.id,
    email,
    now,
    idempotency: null,
    decide: (contact) => {
      const find = (memberships: Membership[] = []) => memberships.find((one) => one.listId === listId);
      before = find(contact?.memberships);
      const token = before?.confirmation;
      const isGiven = input.token === undefined || input.token === token;
      const changed = contact && token && isGiven ? confirm(contact, token, now) : undefined;
      return {
        ...(changed && { contact: changed }),
        response: { status: 200, body: "" },
        result: find(changed?.memberships),
      };
    },
  })) as { result: Membership | undefined };
  if (result !== undefined) return result;
  throw notConfirmed(input, before);
}

function notConfirmed({ email, list_id, token }: Confirming, before: Membership | undefined): ControlError {
  if (before?.status === "subscribed")
    return new ControlError(
      `${email} is subscribed to list ${list_id} already.`,
      "A pending membership can be confirmed once.",
      409,
    );
  if (typeof before?.confirmation !== "string" || token === undefined)
    return new ControlError(
      `${email} has no pending confirmation for list ${list_id}.`,
      "Add the contact to a list with double opt-in first. A pending membership can be confirmed once.",
      409,
    );
  const got = JSON.stringify(token.slice(0, 100));
  return new ControlError(
    `This is not the token in the confirmation email to ${email} for list ${list_id} (got ${got}).`,
    "Copy the whole link of the confirmation email.",
    409,
  );
}

export const recipientOperations: Operation[] = [
  {
    method: "POST",
    path: "/sandbox/confirm",
    summary: "Confirms a pending membership, like the link in the confirmation email.",
    fields: {
      email,
      list_id: { type: "integer", description: "a list id", minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
    },
    required: ["email", "list_id"],
    example: { email: "pending@readers.example", list_id: 1 },
    run: async (services, input: { email: string; list_id: number }) =>
      json(membershipView(input.email.trim().toLowerCase(), await confirmMembership(services, input))),
  },
  {
    method: "GET",
    path: "/sandbox/suppressions",
    summary: "Lists the suppressed email addresses of an account.",
    fields: { account },
    async run(services, input: { account?: string }) {
      const { id } = findAccount(services, input.account);
      const suppressions = (await services.store.suppressions(id)).map(({ address, reason, at }) => ({
        email: address,
        reason,
        at: writeTimeOrNull(at),
      }));
      return json({ account: id, suppressions });
    },
  },
  {
    method: "POST",
    path: "/sandbox/suppress",
    summary: "Suppresses an email address: the account sends nothing to it any more.",
    fields: {
      email,
      reason: {
        type: "string",
        description: "any text; default: hard bounce",
        minLength: 1,
        maxLength: 1000,
      },
      account,
    },
    required: ["email"],
    example: { email: "ada@example.com", reason: "hard bounce" },
    async run(services, input: { account?: string; email: string; reason?: string }) {
      const { id } = findAccount(services, input.account);
      const { reason = "hard bounce" } = input;
      const suppressed = input.email.trim().toLowerCase();
      await services.store.suppress(id, suppressed, reason, services.clock.now());
      return json({ account: id, email: suppressed, reason });
    },
  },
  {
    method: "POST",
    path: "/sandbox/unsuppress",
    summary: "Removes a suppression: the account can send to the email address again.",
    fields: { email, account },
    required: ["email"],
    example: { email: "gone@readers.example" },
    async run(services, input: { account?: string; email: string }) {
      const { id } = findAccount(services, input.account);
      const removed = input.email.trim().toLowerCase();
      if (await services.store.unsuppress(id, removed)) return json({ account: id, email: removed });
      throw new ControlError(
        `${removed} is not suppressed.`,
        "List the suppressed ones with GET /sandbox/suppressions.",
        404,
      );
    },
  },
];
