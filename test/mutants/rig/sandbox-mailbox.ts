import type { Mailbox } from "../../../contract/engine/run.ts";
import type { Sandbox } from "../../../sandbox/index.ts";
import type { Mutant } from "../mutant.ts";

/** The mail that a sandbox has sent, without SMTP, so that no time passes. */
export function mailboxOf({ outbox }: Pick<Sandbox, "outbox">, deliver: Mutant["deliver"]): Mailbox {
  const sent = async () => (await outbox.messages()).filter(({ sentAt }) => sentAt !== null).reverse();
  return {
    messagesTo: async (recipient) => {
      const messages = (await sent()).filter(({ to, cc, bcc }) => [...to, ...cc, ...bcc].includes(recipient));
      const arrived = messages.map(async (message) => {
        const mime = Buffer.from(await outbox.eml(message)).toString("latin1");
        return deliver === undefined ? mime : deliver(mime, recipient);
      });
      const all = await Promise.all(arrived);
      return all.flatMap((mime) => (mime === undefined ? [] : [Buffer.from(mime, "latin1")]));
    },
    isEmpty: async () => (await sent()).length === 0,
    close: async () => {},
  };
}
