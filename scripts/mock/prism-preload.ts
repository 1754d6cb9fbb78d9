// Loaded into Prism's process before Prism itself.
import { rmSync } from "node:fs";
import { IncomingMessage, ServerResponse } from "node:http";
import { withCodes } from "../../lib/text.ts";

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
const { setHeader } = ServerResponse.prototype;
ServerResponse.prototype.setHeader = function (name, value) {
  if (name !== "sl-violations") return setHeader.call(this, name, value);
  return setHeader.call(this, name, withCodes(String(value), /[^ -~]/g).slice(0, maxHeaderLength));
};

// After a body that is not JSON, Prism waits for an `end` event that has been emitted already.
type Once = (this: IncomingMessage, event: string | symbol, listener: () => void) => IncomingMessage;
const once: Once = IncomingMessage.prototype.once;
IncomingMessage.prototype.once = function (event, listener) {
  if (event === "end" && this.readableEnded) queueMicrotask(listener);
  return once.call(this, event, listener);
} satisfies Once as typeof IncomingMessage.prototype.once;
