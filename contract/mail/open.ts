import type { Mailbox } from "../engine/run.ts";
import type { Fixtures, Settings } from "../engine/settings.ts";
import { openAttachmentServer } from "./attachment-server.ts";

/** Opens the configured mailbox; undefined if there is none. @throws UserError with exit code 2 if its port cannot be opened */
export async function openMailbox({ mailbox }: Fixtures): Promise<Mailbox | undefined> {
  // Loaded only if there is a mailbox.
  if (mailbox?.mailpit !== undefined) return (await import("./mailbox.ts")).openMailpit(mailbox.mailpit);
  if (mailbox?.smtp === undefined) return undefined;
  const { openSmtpMailbox } = await import("./mailbox.ts");
  return openSmtpMailbox({ port: mailbox.smtp, host: mailbox.host });
}

/**
 * Opens what the server under test connects to: the mailbox, unless there is one already, and the server of the attachment.
 * @throws UserError with exit code 2 if a port cannot be opened
 */
export async function openPorts(
  { fixtures, runId }: Pick<Settings, "fixtures" | "runId">,
  given?: Mailbox,
): Promise<{ mailbox: Mailbox | undefined; close(): Promise<void> }> {
  const own = given === undefined ? await openMailbox(fixtures) : undefined;
  const file = await openAttachment({ fixtures, runId }).catch(async (error: unknown) => {
    await own?.close();
    throw error;
  });
  const close = async (): Promise<void> => {
    await own?.close();
    await file?.close();
  };
  return { mailbox: given ?? own, close };
}

/**
 * Serves the file of an attachment; undefined without the setting.
 * @throws UserError with exit code 2 if its port cannot be opened
 */
export const openAttachment = async ({ fixtures, runId }: Pick<Settings, "fixtures" | "runId">) =>
  fixtures.attachmentServer && openAttachmentServer(fixtures.attachmentServer, runId);
