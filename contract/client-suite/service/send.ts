import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { pause } from "./pause.ts";
import type { Cut, WireResponse } from "./wire.ts";

/** Sends a response to a client, or closes the connection. */
export async function send(outgoing: ServerResponse, response: WireResponse | Cut): Promise<void> {
  if ("cut" in response) {
    if (response.within !== undefined) await sendHalf(outgoing, response.within, response.stalls);
    outgoing.destroy();
    return;
  }
  const { status, headers, body } = response;
  outgoing.writeHead(status, { ...headers, "content-length": body.length });
  outgoing.end(body);
  await Promise.race([once(outgoing, "finish"), once(outgoing, "close")]);
}

/** Half of a body, long enough that the client has read the head. */
async function sendHalf(
  outgoing: ServerResponse,
  { status, headers, body }: WireResponse,
  milliseconds = 50,
): Promise<void> {
  outgoing.writeHead(status, { ...headers, "content-length": body.length });
  outgoing.write(body.subarray(0, body.length / 2));
  await pause(milliseconds);
}
