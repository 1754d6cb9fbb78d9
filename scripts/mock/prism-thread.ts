// The thread of Prism: the suite and its server use a core each.
import { IncomingMessage, ServerResponse } from "node:http";
import { parentPort, workerData } from "node:worker_threads";
import { createLogger } from "@stoplight/prism-core";
import { getHttpOperationsFromSpec } from "@stoplight/prism-http";
import { createServer } from "@stoplight/prism-http-server";
import { printNotice } from "../../lib/print.ts";
import { withCodes } from "../../lib/text.ts";
import type { PrismOptions } from "./prism.ts";

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

// Prism's HTTP library would print an error and end the thread: the code that started it would not get the error.
Reflect.deleteProperty(process, "emit");

async function start({ document, host, port, verbose }: PrismOptions): Promise<void> {
  const write = (line: string): void => printNotice(line.trimEnd());
  const server = createServer(await getHttpOperationsFromSpec(document), {
    cors: false,
    config: {
      ...{ isProxy: false, upstreamProxy: undefined, errors: false, mock: { dynamic: false } },
      ...{ validateRequest: true, validateResponse: true, checkSecurity: true },
    },
    components: { logger: createLogger("Prism", { level: verbose ? "info" : "silent" }, { write }) },
  });
  const address = await server.listen(port, host);
  parentPort?.once("message", async () => {
    await server.close();
    parentPort?.close();
  });
  parentPort?.postMessage(Number(/\d+$/.exec(address)));
}

// Not awaited, for the same reason.
start(workerData);
