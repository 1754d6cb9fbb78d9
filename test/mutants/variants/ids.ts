import type { MutantResponse } from "../mutant.ts";
import { errorIn, inObjects, type Variant, withError } from "./variant.ts";

const requestIdHeader = "x-service-request-id";

/** An id of another form that can be mapped back. */
const worn = (id: string): string => {
  const prefix = id.startsWith("sched_") ? "sched_" : "";
  return `${prefix}0:${Buffer.from(id.slice(prefix.length)).toString("hex").toUpperCase()}~=.v2`;
};

const taken = (id: string): string => {
  const [, prefix = "", hex = ""] = /^(sched_)?0:([0-9A-F]+)~=\.v2$/.exec(id) ?? [];
  return hex === "" ? `unknown-${encodeURIComponent(id)}` : prefix + Buffer.from(hex, "hex").toString();
};

const isMail = /^(\/api\/v1\/emails\/)([^/?]+)$/;

function wornIn(response: MutantResponse, path: string): MutantResponse {
  const isAboutMail = /^\/api\/v1\/emails/.test(path);
  const body = !isAboutMail
    ? response.body
    : inObjects(response.body, (object, name) =>
        typeof object.id === "string" && ["", "data"].includes(name)
          ? { ...object, id: worn(object.id) }
          : object,
      );
  const { [requestIdHeader]: requestId = "", ...headers } = response.headers;
  const own = `${Buffer.from(requestId).toString("base64url")}/${requestId.length}`;
  const changed = { ...response, headers: { ...headers, [requestIdHeader]: own }, body };
  return errorIn(response) === undefined ? changed : withError(changed, { request_id: own });
}

/** Ids are opaque; only the prefix of scheduled messages is specified. */
export const idVariants: Variant[] = [
  {
    title: "has ids of another form",
    intercept: () => async (request, next) => {
      const [, before = "", id = ""] = isMail.exec(request.path) ?? [];
      const isId = id !== "" && id !== "batch";
      const path = isId ? before + encodeURIComponent(taken(decodeURIComponent(id))) : request.path;
      return wornIn(await next({ ...request, path }), request.path);
    },
  },
];
