/** A request as the service received it. */
export interface WireRequest {
  method: string;
  /** Path and query, not decoded. */
  target: string;
  /** By lower-case name; repeated headers are joined with a comma. */
  headers: Record<string, string>;
  body: Buffer;
  /** Tells connections apart. */
  connection: number;
}

/** A response as the service sent it. */
export interface WireResponse {
  status: number;
  /** By lower-case name. */
  headers: Record<string, string>;
  body: Buffer;
}

/** Closes the connection: without a response, or in the middle of one. */
export interface Cut {
  cut: true;
  within?: WireResponse;
  /** Milliseconds for which nothing follows the first half of `within`; default: 50. */
  stalls?: number;
}

/** Replaces the response to a request, or changes it. */
export interface Disturbance {
  /** What it does, as reports say it: `responds with 503`. */
  title: string;
  /** @param forward lets the service process the request */
  handle(request: WireRequest, forward: () => Promise<WireResponse>): Promise<WireResponse | Cut>;
}

/** A request with its response. */
export interface WireExchange {
  request: WireRequest;
  /** Undefined if the connection was closed first, or the client did not wait for it. */
  response: WireResponse | undefined;
  /** The status with which the service itself responded; undefined if the request did not reach it. */
  ownStatus: number | undefined;
  /** The title of the disturbance. */
  disturbance: string | undefined;
  /** Monotonic milliseconds: when the request was complete. */
  receivedAt: number;
  /** Monotonic milliseconds: when the response was complete or the connection was closed. */
  endedAt: number;
  /** Milliseconds since 1970. */
  startedAt: number;
}
