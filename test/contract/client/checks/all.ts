import type { ClientCheck } from "../engine/client-check.ts";
import { errorChecks } from "./errors.ts";
import { requestChecks } from "./requests.ts";

/** The checks of the client suite. */
export const clientChecks: readonly ClientCheck[] = [...requestChecks, ...errorChecks];
