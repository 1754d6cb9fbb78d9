import { Agent, type IncomingMessage, request } from "node:http";
import type { WireRequest, WireResponse } from "./wire.ts";

/** These belong to one connection. */
const connectionHeaders = new Set(["connection", "keep-alive", "transfer-encoding", "content-length"]);

/** The service behind the recording server. */
export class Upstream {
  readonly #target: URL;
  // Without kept connections: the service may close one just when a request is sent on it.
  readonly #agent = new Agent();

  /** @param target its base URL */
  constructor(target: string) {
    this.#target = new URL(target);
  }

  /** Lets the service process a request of a client. */
  forward({ method, target, headers, body }: WireRequest): Promise<WireResponse> {
    const { hostname, port, host, pathname } = this.#target;
    const length = body.length > 0 && { "content-length": body.length };
    const options = {
      hostname,
      port,
      method,
      path: pathname.replace(/\/$/, "") + target,
      agent: this.#agent,
    };
    return new Promise((resolve, reject) => {
      const forwarded = request(
        { ...options, headers: { ...ofMessage(headers), host, ...length } },
        (incoming) => {
          readResponse(incoming).then(resolve, reject);
        },
      );
      forwarded.on("error", reject);
      forwarded.end(body);
    });
  }

  close(): void {
    this.#agent.destroy();
  }
}

async function readResponse(incoming: IncomingMessage): Promise<WireResponse> {
  const chunks: Buffer[] = await incoming.toArray();
  const status = incoming.statusCode ?? 0;
  return { status, headers: ofMessage(joined(incoming)), body: Buffer.concat(chunks) };
}

/** The headers that do not belong to the connection. */
const ofMessage = (headers: Record<string, string>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !connectionHeaders.has(name)));

/** The headers of a message by lower-case name; repeated ones are joined with a comma. */
export const joined = ({ headersDistinct }: IncomingMessage): Record<string, string> =>
  Object.fromEntries(Object.entries(headersDistinct).map(([name, values = []]) => [name, values.join(", ")]));
