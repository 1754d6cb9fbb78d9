import type { ClientOptions } from "../../client/src/index.ts";
import type { Call, Capabilities, Reply } from "../../contract/client-suite/driver/protocol.ts";

/** A request on its way from the client to the network. */
export interface SentRequest {
  method: string;
  url: string;
  /** By lower-case name. */
  headers: Record<string, string>;
  body: string | Buffer | undefined;
  signal: AbortSignal;
}

/** A response on its way to the client. */
export interface ReceivedResponse {
  status: number;
  headers: Headers;
  body: Buffer;
}

export type Send = (request: SentRequest) => Promise<ReceivedResponse>;

/** What a difference can know about the client. */
export interface ClientContext {
  baseUrl: string;
  key: string;
  /** The current call. */
  call(): Call;
  /** Writes a line to standard error. */
  log(text: string): void;
  /** Aborts when the driver is closed. */
  signal: AbortSignal;
}

/** How a client differs from the project's own client. */
export interface Difference {
  options?: Partial<ClientOptions>;
  capabilities?: Partial<Capabilities>;
  /** Stands between the client and the network. */
  send?(request: SentRequest, next: Send): Promise<ReceivedResponse>;
  /** Stands between the driver and the client. */
  call?(call: Call, next: (call: Call) => Promise<Reply>): Promise<Reply>;
}

/** Creates a difference for each client, so that it can have state. */
export type CreateDifference = (context: ClientContext) => Difference;
