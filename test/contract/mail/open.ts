import type { Mailbox } from "../engine/mailbox.ts";
import type { Fixtures } from "../engine/settings.ts";

/**
 * Opens the configured mailbox; undefined if there is none.
 * @throws UserError with exit code 2 if its port cannot be opened
 */
export async function openMailbox({ mailbox }: Fixtures): Promise<Mailbox | undefined> {
  // Loaded only if there is a mailbox.
  if (mailbox?.mailpit !== undefined) return (await import("./mailpit.ts")).openMailpit(mailbox.mailpit);
  if (mailbox?.smtp === undefined) return undefined;
  const { openSmtpMailbox } = await import("./smtp-mailbox.ts");
  return openSmtpMailbox({ port: mailbox.smtp, host: mailbox.host });
}
