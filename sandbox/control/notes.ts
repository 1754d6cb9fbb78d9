import type { Message } from "../domain/records.ts";
import type { RelayState } from "../mail/relay-state.ts";

/** What somebody who looks at a message should know of how the sandbox made it, in sentences: where it is not what was perhaps meant. */
export function notesOf({ content, relay }: Message & { relay?: RelayState }): string[] {
  const notes: string[] = [];
  if (relay?.words !== undefined)
    notes.push(`The SMTP server has not taken it yet, and is asked again: ${relay.words}`);
  const { missingVariables = [], attachments } = content;
  if (missingVariables.length > 0) {
    const names = missingVariables.map((name) => `{{${name}}}`).join(", ");
    notes.push(`Left empty, since the call gave no value for the template's ${names}.`);
  }
  const linked = attachments.filter((attachment) => "path" in attachment).length;
  if (linked > 0)
    notes.push(
      `${linked === 1 ? "One attachment was" : `${linked} attachments were`} not downloaded: downloads are switched off.`,
    );
  return notes;
}
