import type {
  WireExchange,
  WireRequest,
  WireResponse,
} from "../../../contract/client-suite/service/recording-server.ts";

export const key = "key_0123456789";

/** A correct request of `listNewsletterLists`, with changes. */
export const request = ({ headers, ...more }: Partial<WireRequest> = {}): WireRequest => ({
  method: "GET",
  target: "/api/v1/newsletter/lists",
  body: Buffer.alloc(0),
  ...more,
  headers: { authorization: `Bearer ${key}`, accept: "application/json", ...headers },
});

/** A request with its response, or with a lost connection; it takes no time. */
export const exchange = (
  response: WireResponse | undefined,
  { at = 0, ...more }: Partial<WireRequest> & { at?: number } = {},
): WireExchange => ({
  request: request(more),
  response,
  disturbance: undefined,
  receivedAt: at,
  endedAt: at,
  ownStatus: undefined,
  startedAt: Date.UTC(2027, 0, 31) + at,
});
