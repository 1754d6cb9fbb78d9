// The thread of Prism: the suite and its server use a core each.
import { subscribe } from "node:diagnostics_channel";
import { IncomingMessage, ServerResponse } from "node:http";
import type { AddressInfo, Server } from "node:net";
import { parentPort, workerData } from "node:worker_threads";
import { createSingleProcessPrism } from "@stoplight/prism-cli/dist/util/createServer.js";
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

/** What `node:net` publishes about a server that has begun to listen. */
type Listening = { server: Server };

async function start({ document, host, port, verbose }: PrismOptions): Promise<void> {
  const listening = Promise.withResolvers<Server>();
  subscribe("tracing:net.server.listen:asyncEnd", (message) =>
    listening.resolve((message as Listening).server),
  );
  const server = await createSingleProcessPrism({
    // Prism takes the name of a file or, whatever its type says, a document.
    document: document as unknown as string,
    verboseLevel: verbose ? "info" : "silent",
    ...{ host, port, cors: false, dynamic: false, errors: false, multiprocess: false, seed: "" },
    ...{ ignoreExamples: false, jsonSchemaFakerFillProperties: false },
  });
  parentPort?.once("message", async () => {
    await server?.close();
    parentPort?.close();
  });
  parentPort?.postMessage(((await listening.promise).address() as AddressInfo).port);
}

// Not awaited: the code that started the thread would not get the error of a module that fails.
start(workerData);
