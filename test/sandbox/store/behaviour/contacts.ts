import { describe, expect, test } from "vitest";
import type { Contact, Message } from "../../../../sandbox/domain/records.ts";
import type { ContactChange } from "../../../../sandbox/domain/store.ts";
import { named, noon, second, sentMessage, taking } from "../records.ts";
import type { OpenStore } from "../stores.ts";

const contact: Contact = {
  accountId: "acc_one",
  email: "ada@example.org",
  firstName: "Ada",
  lastName: null,
  fields: {},
  tags: [],
  marketingBlocked: false,
  memberships: [],
};

/** Adds the contact, and the mail for it unless its address is suppressed. */
const signUp = (mail: Message): ContactChange<boolean> => ({
  accountId: "acc_one",
  email: contact.email,
  now: noon,
  idempotency: named("sign-up"),
  decide: (_known, suppressed) => ({
    contact,
    ...(suppressed ? {} : { mail }),
    response: { status: 201, body: "" },
    result: suppressed,
  }),
});

export function contactTests(open: OpenStore): void {
  describe("a contact and the email to it", () => {
    test("are kept together, and the mail is due at its time", async () => {
      const store = await open();
      expect(await store.changeContact(signUp(sentMessage("confirm_1")))).toMatchObject({ result: false });
      expect(await store.contact("acc_one", contact.email)).toEqual(contact);
      expect(await store.message("acc_one", "confirm_1")).toEqual(sentMessage("confirm_1"));
      expect([await store.nextDue(), await store.used("acc_one", noon)]).toEqual([noon + 2 * second, 0]);
    });

    test("are kept not at all when the mail cannot be kept", async () => {
      const store = await open();
      await store.accept(taking([sentMessage("confirm_1")]));
      await expect(store.changeContact(signUp(sentMessage("confirm_1")))).rejects.toThrow(/unique|already/i);
      expect(await store.contact("acc_one", contact.email)).toBeUndefined();
      expect(await store.recall(named("sign-up"), noon)).toBeUndefined();
    });

    test("are kept once when the same request comes twice at the same moment", async () => {
      const store = await open();
      const mails = ["confirm_1", "confirm_2"].map((id) => sentMessage(id));
      const outcomes = await Promise.all(mails.map((mail) => store.changeContact(signUp(mail))));
      // Two connections of PostgreSQL may overtake each other.
      const kept = mails.filter((_, index) => !("replay" in (outcomes[index] ?? {})));
      expect(kept).toHaveLength(1);
      expect((await store.messages({ limit: 9 })).map(({ id }) => id)).toEqual(kept.map(({ id }) => id));
    });

    test("the decision gets whether the address is suppressed", async () => {
      const store = await open();
      await store.suppress("acc_one", contact.email, "bounced", noon);
      expect(await store.changeContact(signUp(sentMessage("confirm_1")))).toMatchObject({ result: true });
      expect(await store.messages({ limit: 9 })).toEqual([]);
      expect(await store.contact("acc_one", contact.email)).toEqual(contact);
    });
  });
}
