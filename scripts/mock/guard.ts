// Loaded into the process of Prism before Prism itself.
import { rmSync } from "node:fs";
import { IncomingMessage, ServerResponse } from "node:http";
import { basename, dirname } from "node:path";
import { folderPrefix } from "./folder.ts";

// Prism ends with the process that started it, even when that one was killed and could neither say so nor tidy up.
process.on("disconnect", () => {
  const folder = dirname(process.argv[3] ?? "");
  // What is removed with all that is in it must be the folder made for this, whatever the arguments are.
  if (basename(folder).startsWith(folderPrefix)) rmSync(folder, { recursive: true, force: true });
  process.exit(0);
});
// Nobody may be left to read the log by then.
for (const stream of [process.stdout, process.stderr]) stream.on("error", () => {});

// Prism copies what is wrong with a request into a header, as JSON, and falls over when it names a field or a value in
// characters that a header cannot hold. The same JSON can be written without them.
const longest = 8_000;
const plain = (json: string): string =>
  json
    .replaceAll(/[^ -~]/g, (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`)
    .slice(0, longest);

const { setHeader } = ServerResponse.prototype;
ServerResponse.prototype.setHeader = function (name, value) {
  return setHeader.call(this, name, name === "sl-violations" ? plain(String(value)) : value);
};

// Prism waits for the end of a body that it could not read as JSON, and would never hear of it: it has been already.
type Once = (this: IncomingMessage, event: string | symbol, listener: () => void) => IncomingMessage;
const once: Once = IncomingMessage.prototype.once;
IncomingMessage.prototype.once = function (event, listener) {
  if (event === "end" && this.readableEnded) queueMicrotask(listener);
  return once.call(this, event, listener);
} satisfies Once as typeof IncomingMessage.prototype.once;
