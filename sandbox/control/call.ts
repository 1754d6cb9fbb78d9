import type { SiteAnswer } from "./answer.ts";
import type { Input } from "./input.ts";
import type { GatewayServices } from "./parts.ts";

/** What a control call is given. */
export interface ControlRequest {
  input: Input;
  query: URLSearchParams;
  /** What stands in the open place of its path, decoded; empty where there is none. */
  id: string;
}

/** One control call: where, what it does, what it takes, and the work itself. `GET /sandbox/` serves the table of them. */
export interface ControlCall {
  method: "GET" | "POST" | "DELETE";
  /** `{id}` stands for an open place at the end. */
  path: string;
  does: string;
  /** A body that works on the demo seed. */
  body?: Input;
  run(parts: GatewayServices, request: ControlRequest): SiteAnswer | Promise<SiteAnswer>;
}
