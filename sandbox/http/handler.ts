import type { ApiRequest } from "../api/context.ts";

/** The response to any request, to the API or not. */
export interface HttpResponse {
  status: number;
  headers: Record<string, string>;
  body: string | Uint8Array;
  /** Closes the connection instead of sending the response. */
  cut?: true;
}

export interface RequestHandler {
  /** When it rejects, the connection closes. */
  handle(request: ApiRequest): Promise<HttpResponse>;
  /** The largest body that is read, in bytes. Not called for small bodies. */
  bodyLimit(request: Omit<ApiRequest, "body">): number;
}
