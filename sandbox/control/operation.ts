import type { ApiRequest, Services } from "../api/context.ts";
import type { Account, Message } from "../domain/records.ts";
import type { Seed } from "../seed/seed.ts";
import { ControlError, type SiteResponse } from "./response.ts";

/** What the control API and the pages work on. A reset replaces the directory. */
export interface GatewayServices
  extends Pick<Services, "directory" | "store" | "clock" | "failures" | "recent"> {
  seed: Seed;
  /** Restores the state of the seed. */
  reset(): Promise<void>;
  /** Whether the sandbox listens beyond loopback. */
  exposed: boolean;
  /** Whether other machines may use the control API and the pages. */
  control: boolean;
  /** The URL of the reference site. */
  docs?: string;
}

/** The JSON Schema of an input field. Its description completes the sentence "The field is ...". */
export interface Field {
  type: "string" | "integer" | "number" | "boolean" | "object" | ["string", "integer"];
  description: string;
  [keyword: string]: unknown;
}

/** The input of an operation: the fields of the query (GET) or the body, and the path parameter `id`. */
export type Input = Record<string, unknown>;

/** An operation of the control API. `GET /sandbox/`, the page /control and the guide list what is declared here. */
export interface Operation {
  method: "GET" | "POST" | "DELETE";
  path: string;
  summary: string;
  fields?: Record<string, Field>;
  required?: string[];
  /** A body that works with the demo seed. */
  example?: Input;
  /** @throws ControlError */
  run(services: GatewayServices, input: Input, request: ApiRequest): SiteResponse | Promise<SiteResponse>;
}

/** The input field that selects an account. */
export const accountField = (defaultAccount: string): Field => ({
  type: "string",
  description: `an account id; default: ${defaultAccount}`,
});

/** The account with that id, or the first of the seed without one. @throws ControlError */
export function findAccount({ directory }: Pick<GatewayServices, "directory">, id?: string): Account {
  const accounts = directory.accounts();
  const account = id === undefined ? accounts[0] : accounts.find((one) => one.id === id);
  if (account !== undefined) return account;
  const names = accounts.map((one) => one.id).join(", ");
  throw new ControlError(404, `There is no account ${JSON.stringify(id)}.`, `The accounts are: ${names}.`);
}

/** The message with that id, of any account. @throws ControlError */
export async function findMessage(
  { directory, store }: Pick<GatewayServices, "directory" | "store">,
  id: string,
): Promise<Message> {
  for (const account of directory.accounts()) {
    const message = await store.message(account.id, id);
    if (message !== undefined) return message;
  }
  throw new ControlError(
    404,
    `There is no message ${JSON.stringify(id.slice(0, 100))}.`,
    "List the messages with GET /sandbox/outbox.",
  );
}
