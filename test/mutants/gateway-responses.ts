import { changeResponses, type Mutant, type MutantRequest, respondInstead } from "./mutant.ts";
import { mistakes, withHeaders } from "./requests.ts";

const isNowhere = ({ path }: MutantRequest): boolean => path.includes("/contract-") && !path.includes("%40");
const isOther = ({ method }: MutantRequest): boolean => method === "PUT";

export const frontMutants: Mutant[] = [
  mistakes(
    "ERR-6",
    "an unknown path returns 405",
    "404 not_found",
    "405 method_not_allowed",
    (request) => isNowhere(request) && request.method === "POST",
  ),
  respondInstead("ERR-6", "paths below the lists return the lists", (request, next) =>
    isNowhere(request) && request.path.startsWith("/api/v1/newsletter/lists/")
      ? next({ ...request, method: "GET", path: "/api/v1/newsletter/lists" })
      : undefined,
  ),
  mistakes(
    "ERR-7",
    "an unsupported method on contacts returns 501",
    "405 method_not_allowed",
    "501 not_implemented",
    (request) => isOther(request) && request.path.includes("/contacts"),
  ),
  respondInstead("ERR-7", "PUT looks up a message", (request, next) =>
    isOther(request) && /\/emails\/[^/]+$/.test(request.path) && !request.path.endsWith("/batch")
      ? next({ ...request, method: "GET" })
      : undefined,
  ),
  changeResponses("HEAD-10", "Allow has one method", (response) =>
    response.status === 405
      ? withHeaders(response, { allow: response.headers.allow?.split(",")[0] })
      : undefined,
  ),
];
