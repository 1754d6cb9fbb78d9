import { mistakes, withHeaders } from "./calls.ts";
import { type Fault, type FaultRequest, inAnswers, instead } from "./fault.ts";

const isNowhere = ({ path }: FaultRequest): boolean => path.includes("/contract-") && !path.includes("%40");
const isOther = ({ method }: FaultRequest): boolean => method === "PUT";

export const frontFaults: Fault[] = [
  mistakes(
    "ERR-6",
    "an unknown address is answered 400 invalid_request",
    "404 not_found",
    "400 invalid_request",
    isNowhere,
  ),
  mistakes(
    "ERR-6",
    "an unknown address has an error type of its own",
    "404 not_found",
    "404 unknown_address",
    isNowhere,
  ),
  mistakes(
    "ERR-6",
    "an unknown address is answered 405",
    "404 not_found",
    "405 method_not_allowed",
    (request) => isNowhere(request) && request.method === "POST",
  ),
  inAnswers("ERR-6", "an unknown address is answered with a page", (answer, request) =>
    answer.status === 404 && isNowhere(request)
      ? { ...withHeaders(answer, { "content-type": "text/html" }), body: undefined, text: "<h1>404</h1>" }
      : undefined,
  ),
  instead("ERR-6", "any address below the lists is that of the lists", (request, next) =>
    isNowhere(request) && request.path.startsWith("/api/v1/newsletter/lists/")
      ? next({ ...request, method: "GET", path: "/api/v1/newsletter/lists" })
      : undefined,
  ),
  mistakes("ERR-7", "another method is answered 404", "405 method_not_allowed", "404 not_found", isOther),
  mistakes(
    "ERR-7",
    "another method is an error with the type of a request",
    "405 method_not_allowed",
    "405 invalid_request",
    isOther,
  ),
  mistakes(
    "ERR-7",
    "another method on contacts is answered 501",
    "405 method_not_allowed",
    "501 not_implemented",
    (request) => isOther(request) && request.path.includes("/contacts"),
  ),
  instead("ERR-7", "a PUT of a message looks it up", (request, next) =>
    isOther(request) && /\/emails\/[^/]+$/.test(request.path) && !request.path.endsWith("/batch")
      ? next({ ...request, method: "GET" })
      : undefined,
  ),
  inAnswers("HEAD-10", "a 405 has no Allow", (answer) =>
    answer.status === 405 ? withHeaders(answer, { allow: undefined }) : undefined,
  ),
  inAnswers("HEAD-10", "Allow names one method", (answer) =>
    answer.status === 405 ? withHeaders(answer, { allow: answer.headers.allow?.split(",")[0] }) : undefined,
  ),
  inAnswers("HEAD-10", "Allow names every method there is", (answer) =>
    answer.status === 405 ? withHeaders(answer, { allow: "GET, POST, PUT, PATCH, DELETE" }) : undefined,
  ),
  inAnswers("HEAD-10", "Allow is empty", (answer) =>
    answer.status === 405 ? withHeaders(answer, { allow: "" }) : undefined,
  ),
];
