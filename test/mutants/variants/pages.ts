import { accountList } from "../demo.ts";
import { changeEveryResponse, isObject, pathOf, type Variant } from "./variant.ts";

/** Variants in pages of a list of the account API. */
export const pageVariants: Variant[] = [
  {
    title: "returns a full page for a page size above the limit",
    intercept: () => (request, next) =>
      next(
        pathOf(request) === accountList
          ? { ...request, path: request.path.replace("limit=101", "limit=100") }
          : request,
      ),
  },
  changeEveryResponse("has no next_cursor on the last page", (response, request) => {
    const { body } = response;
    if (pathOf(request) !== accountList || !isObject(body) || body.has_more !== false) return response;
    const { next_cursor: _, ...rest } = body;
    return { ...response, body: rest };
  }),
];
