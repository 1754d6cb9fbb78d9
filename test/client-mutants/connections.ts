import type { Reply } from "../../contract/client-suite/driver/protocol.ts";
import { type ClientMutant, forever, violating } from "./client-mutant.ts";
import { sendBySocket } from "./in-process/sockets.ts";

const err2 = violating("ERR-2");
const err15 = violating("ERR-15");

/** Errors of one kind become something else. */
const onKind = (title: string, kind: string, reply: Reply): ClientMutant =>
  err2.rejects(title, (error) => (error.kind === kind ? reply : undefined));

/** What happens without a complete response. */
export const connectionMutants = [
  onKind("returns null if the connection is lost", "connection", { result: null }),
  onKind("returns an empty object if the connection is lost", "connection", { result: {} }),
  onKind("reports a lost connection as a 500", "connection", {
    error: { kind: "response", status: 500, type: null },
  }),
  err15.transmits("waits for ever if the connection is closed", async (request, next, { signal }) => {
    try {
      return await next(request);
    } catch (error) {
      return request.signal.aborted ? Promise.reject(error) : forever(signal);
    }
  }),
  onKind("returns null if the time is up", "timeout", { result: null }),
  err2.transmits("returns nothing for a response that was cut", async (request) => {
    const response = await sendBySocket(request, { keepsPart: true });
    return isCut(response) ? { ...response, body: Buffer.from("{}") } : response;
  }),
  err2.mutant("returns the text of a response that was cut", () => {
    let text: string | undefined;
    return {
      send: async (request) => {
        const response = await sendBySocket(request, { keepsPart: true });
        text = isCut(response) ? response.body.toString() : undefined;
        return text === undefined ? response : { ...response, body: Buffer.from("{}") };
      },
      call: async (call, next) => {
        const reply = await next(call);
        return text === undefined ? reply : { result: text };
      },
    };
  }),
];

function isCut({ status, body }: { status: number; body: Buffer }): boolean {
  if (status >= 400 || body.length === 0) return false;
  try {
    JSON.parse(body.toString());
    return false;
  } catch {
    return true;
  }
}
