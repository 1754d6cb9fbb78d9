import { requests, schemas } from "../generated/validators/requests.js";
import type { DocumentValidators } from "./cases/boundaries.ts";

type Validators = Record<string, (data: unknown) => boolean>;
type Bodies = Record<string, { body: ((data: unknown) => boolean) | null }>;

/** The generated validators of components and request bodies. */
export const documentValidators: DocumentValidators = {
  isValid: (component, value) => (schemas as unknown as Validators)[component]?.(value) ?? false,
  accepts: (operation, body) => (requests as unknown as Bodies)[operation]?.body?.(body) ?? false,
};
