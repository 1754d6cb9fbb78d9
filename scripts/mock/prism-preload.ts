// Loaded into Prism's process before Prism itself.
import { rmSync } from "node:fs";
import { IncomingMessage, ServerResponse } from "node:http";

// Prism ends with its parent process, even if that was killed and could not clean up.
process.on("disconnect", () => {
  const folder = process.env.MOCK_FOLDER;
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  process.exit(0);
});
// By then nothing may be reading the log.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

// Prism copies validation errors into a header as JSON, and crashes if they contain a character that no header can hold.
const maxHeaderLength = 8_000;
const escapeNonAscii = (json: string): string =>
  json
    .replaceAll(/[^ -~]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .slice(0, maxHeaderLength);

const { setHeader } = ServerResponse.prototype;
ServerResponse.prototype.setHeader = function (name, value) {
  return setHeader.call(this, name, name === "sl-violations" ? escapeNonAscii(String(value)) : value);
};

// After a body that is not JSON, Prism waits for an `end` event that has been emitted already.
type Once = (this: IncomingMessage, event: string | symbol, listener: () => void) => IncomingMessage;
const once: Once = IncomingMessage.prototype.once;
IncomingMessage.prototype.once = function (event, listener) {
  if (event === "end" && this.readableEnded) queueMicrotask(listener);
  return once.call(this, event, listener);
} satisfies Once as typeof IncomingMessage.prototype.once;
