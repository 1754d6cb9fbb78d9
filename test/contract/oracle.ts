import { requests, schemas } from "../../generated/validators/requests.js";
import type { Oracle } from "./cases/boundaries.ts";

type Validators = Record<string, (data: unknown) => boolean>;
type Bodies = Record<string, { body: ((data: unknown) => boolean) | null }>;

/** What the document itself says about values, by the validators that are made from it. */
export const oracle: Oracle = {
  fits: (component, value) => (schemas as unknown as Validators)[component]?.(value) ?? false,
  accepts: (operation, body) => (requests as unknown as Bodies)[operation]?.body?.(body) ?? false,
};
