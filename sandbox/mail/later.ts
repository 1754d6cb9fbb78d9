import type { SandboxOptions } from "../options.ts";
import type { Outgoing, OutgoingOptions } from "./outgoing.ts";

/**
 * Lets mail out where the options say so. What that takes is loaded only then: most sandboxes keep their mail, and are to start quickly.
 *
 * @throws UserError when the SMTP server's address cannot be read, or the folder cannot be written to
 */
export async function letMailOut(
  { smtp, outbox }: Pick<SandboxOptions, "smtp" | "outbox">,
  sandbox: Omit<OutgoingOptions, "smtp" | "folder">,
): Promise<Outgoing> {
  if (smtp === undefined && outbox === undefined)
    return { store: sandbox.store, smtp: null, close: async () => {} };
  const { openOutgoing } = await import("./outgoing.ts");
  return openOutgoing({
    ...sandbox,
    ...(smtp !== undefined && { smtp }),
    ...(outbox !== undefined && { folder: outbox }),
  });
}
