import { randomBytes } from "node:crypto";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { ErrorResponse } from "./request.ts";
import { handle } from "./router.ts";
import { newWorld, type World } from "./world.ts";

interface SecondServerOptions {
  /** Default: a free port. */
  port?: number;
  /** Of all accounts but `racer`, whose limit the suite uses up: 120. */
  requestsPerMinute?: number;
}

export interface SecondServer {
  url: string;
  close(): Promise<void>;
}

/**
 * Starts an independent server of the whole API, which shares no code with the sandbox: it shows that the suite checks the requirements
 * of the service, and not the details of the sandbox.
 */
export async function startSecondServer({
  port = 0,
  requestsPerMinute = 120,
}: SecondServerOptions = {}): Promise<SecondServer> {
  const own = new Server((account) => (account === "racer" ? 120 : requestsPerMinute));
  const server = createServer((request, response) => void own.take(request, response));
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(port, "127.0.0.1", resolve);
  });
  const { port: taken } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${taken}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}

class Server {
  readonly #limitOf: (account: string) => number;
  #ahead = 0;
  #world: World;
  #failures: string[] = [];

  constructor(limitOf: (account: string) => number) {
    this.#limitOf = limitOf;
    this.#world = newWorld(this.#now);
  }

  #now = (): number => Date.now() + this.#ahead;

  async take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const text = Buffer.concat(chunks).toString();
    const path = request.url ?? "/";
    if (path.startsWith("/admin/"))
      response.writeHead(this.#admin(path, JSON.parse(text || "{}")) ? 204 : 404).end();
    else this.#serve(request, path, text, response);
  }

  /** Handles a request below /admin. @returns false for an unknown path or a missing confirmation */
  #admin(path: string, given: Record<string, unknown>): boolean {
    const world = this.#world;
    const everyone = [...world.accountStates.values()];
    const address = String(given.address).toLowerCase();
    switch (path) {
      case "/admin/time":
        this.#ahead += Number(given.seconds) * 1000;
        return true;
      case "/admin/start-over":
        this.#ahead = 0;
        this.#failures = [];
        this.#world = newWorld(this.#now);
        return true;
      case "/admin/break":
        this.#failures.push(...Array.from({ length: Number(given.requests) }, () => String(given.failure)));
        return true;
      case "/admin/stop-sending":
        for (const { stopped } of everyone) stopped.add(address);
        return true;
      case "/admin/follow-confirmation": {
        const memberships = everyone
          .map(({ people }) => people.get(address)?.memberships.get(Number(given.list)))
          .filter((membership) => membership?.state === "pending");
        for (const membership of memberships)
          Object.assign(membership ?? {}, { state: "subscribed", joined: world.now() });
        return memberships.length > 0;
      }
      default:
        return false;
    }
  }

  #serve(request: IncomingMessage, path: string, text: string, response: ServerResponse): void {
    const id = randomBytes(9).toString("hex");
    const failure = this.#failures.shift();
    const send = (status: number, body: unknown, headers: Record<string, string> = {}): void => {
      const json = body === undefined ? undefined : JSON.stringify(body);
      const labels: Record<string, string> =
        json === undefined ? {} : { "Content-Type": "application/json; charset=UTF-8" };
      const date = new Date(this.#now()).toUTCString();
      response.writeHead(status, { ...headers, ...labels, "X-Service-Request-Id": id, Date: date }).end(json);
    };
    const sendError = ({ status, type, message, faults, headers }: ErrorResponse): void => {
      const fields = faults === undefined ? {} : { fields: faults };
      send(status, { error: { request_id: id, ...fields, message, type } }, headers);
    };
    try {
      if (failure !== undefined && failure !== "cut")
        throw new ErrorResponse(Number(failure), "out_of_order", "This did not work. Try again later.");
      const headers = request.headers as Record<string, string | undefined>;
      const incoming = { method: request.method ?? "GET", path, headers, text };
      const { status, body, headers: more } = handle(this.#world, incoming, this.#limitOf);
      if (failure === "cut") request.socket.destroy();
      else send(status, body, more);
    } catch (error) {
      if (!(error instanceof ErrorResponse)) throw error;
      // A 500 may come without a body.
      if (error.status === 500) send(500, undefined);
      else sendError(error);
    }
  }
}
