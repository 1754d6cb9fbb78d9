// What the entry point `fetch` imports from the file of the main entry point: a file of its own would make every program start
// slower, and a copy would have error classes of its own. Only what the types of the two entry points name is public.
export { idempotentOperations, serviceRequestIdHeader } from "../../generated/client/table.ts";
export { ApiError, ConnectionError, RequestError, TimeoutError } from "./errors.ts";
export { createLimiter } from "./limiter.ts";
export { hooks } from "./options.ts";
export { sendRequest } from "./request.ts";
export { toApiResponse } from "./response.ts";
export { checkIdempotencyKey, checkKey, checkSecure, encoded } from "./validate.ts";
