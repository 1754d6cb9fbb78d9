import { accountOf, addressOf, confirmContact } from "../actions.ts";
import { ControlRefusal, json } from "../answer.ts";
import type { ControlCall } from "../call.ts";
import { type Input, needed, text, whole } from "../input.ts";
import { instant, membershipLine } from "../shapes.ts";

const address = (input: Input): string =>
  addressOf(needed(text(input, "address", "ada@example.com"), "address", "ada@example.com"));

/** Calls about contacts and recipients. */
export const peopleCalls: ControlCall[] = [
  {
    method: "POST",
    path: "/sandbox/confirm",
    does: "Clicks the confirmation that a pending contact was sent: by `email` and `list_id`.",
    body: { email: "pending@readers.example", list_id: 1 },
    run: async (parts, { input }) => {
      const email = needed(text(input, "email", "ada@example.com"), "email", "ada@example.com");
      const list = needed(whole(input, "list_id", 1, Number.MAX_SAFE_INTEGER), "list_id", "1");
      return json(membershipLine(email.toLowerCase(), await confirmContact(parts, email, list)));
    },
  },
  {
    method: "GET",
    path: "/sandbox/suppressions",
    does: "Lists the addresses that are not written to any more. `?account=` names an account; the first of the seed otherwise.",
    run: async (parts, { query }) => {
      const account = accountOf(parts, query.get("account") ?? undefined);
      const entries = await parts.store.suppressions(account.id);
      return json({
        account: account.id,
        suppressions: entries.map((entry) => ({ ...entry, at: instant(entry.at) })),
      });
    },
  },
  {
    method: "POST",
    path: "/sandbox/suppress",
    does: "Stops sending to an `address`, with a `reason`. `account` names an account; the first of the seed otherwise.",
    body: { address: "ada@example.com", reason: "hard bounce" },
    run: async (parts, { input }) => {
      const account = accountOf(parts, text(input, "account", "bakery"));
      const reason = text(input, "reason", "hard bounce") ?? "hard bounce";
      const entry = { account: account.id, address: address(input), reason };
      await parts.store.suppress(account.id, entry.address, reason, parts.clock.now());
      return json(entry);
    },
  },
  {
    method: "POST",
    path: "/sandbox/unsuppress",
    does: "Lets an `address` be written to again.",
    body: { address: "gone@readers.example" },
    run: async (parts, { input }) => {
      const account = accountOf(parts, text(input, "account", "bakery"));
      const entry = { account: account.id, address: address(input) };
      if (await parts.store.unsuppress(account.id, entry.address)) return json(entry);
      throw new ControlRefusal(
        404,
        `${entry.address} is not suppressed.`,
        "GET /sandbox/suppressions lists those that are.",
      );
    },
  },
];
