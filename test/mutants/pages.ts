import { accountList } from "./demo.ts";
import { type Mutant, type MutantRequest, respondInstead, shows, takes } from "./mutant.ts";
import { errorResponse, isSuccess, type Json, objectOf, without } from "./newsletter.ts";

const isList = ({ path }: MutantRequest): boolean => path.split("?")[0] === accountList;

const queryOf = ({ path }: MutantRequest): URLSearchParams => new URLSearchParams(path.split("?")[1]);

type Requirement = `PAGE-${1 | 2 | 3 | 4 | 5}`;

const changePages = (requirement: Requirement, title: string, change: (page: Json) => unknown): Mutant =>
  shows(requirement, title, (response, request) =>
    isList(request) && isSuccess(response)
      ? { ...response, body: change(objectOf(response.body)) }
      : undefined,
  );

const changeQuery = (
  requirement: Requirement,
  title: string,
  change: (query: URLSearchParams) => void,
): Mutant =>
  takes(requirement, title, (request) => {
    if (!isList(request)) return undefined;
    const query = queryOf(request);
    change(query);
    return { ...request, path: `${accountList}?${query}` };
  });

/** Moves the position of a cursor. */
const moved = (requirement: Requirement, title: string, by: number): Mutant =>
  changeQuery(requirement, title, (query) => {
    const cursor = query.get("cursor");
    if (cursor !== null) query.set("cursor", `at_${Number(cursor.slice(3)) + by}`);
  });

const rejects = (
  requirement: Requirement,
  name: "limit" | "cursor",
  title: string,
  isRejected: (value: string | null) => boolean,
): Mutant =>
  respondInstead(requirement, title, (request) =>
    isList(request) && isRejected(queryOf(request).get(name))
      ? errorResponse(422, "invalid_request", name)
      : undefined,
  );

const itemsIn = (page: Json): Json[] => page.data as Json[];

export const pageMutants: Mutant[] = [
  changeQuery("PAGE-4", "the limit is ignored if there is a cursor", (query) => {
    if (query.has("cursor")) query.delete("limit");
  }),
  changePages("PAGE-1", "a page has its items in items", (page) => ({
    ...without(page, "data"),
    items: page.data,
  })),
  changePages("PAGE-1", "a page is an array of items", itemsIn),
  changePages("PAGE-2", "a page has no has_more", (page) => without(page, "has_more")),
  changePages("PAGE-2", "has_more is always false", (page) => ({ ...page, has_more: false })),
  changePages("PAGE-3", "a page has no next_cursor", (page) => without(page, "next_cursor")),
  changePages("PAGE-3", "next_cursor always identifies the second page", (page) => ({
    ...page,
    next_cursor: page.has_more === true ? `at_${itemsIn(page).length}` : null,
  })),
  changeQuery("PAGE-4", "ignores the limit", (query) => query.delete("limit")),
  rejects("PAGE-4", "limit", "rejects the largest limit", (limit) => limit === "100"),
  shows("PAGE-4", "a page can have 101 items", (response, request) =>
    isList(request) && queryOf(request).get("limit") === "101"
      ? {
          ...response,
          status: 200,
          body: {
            data: Array.from({ length: 101 }, (_, id) => ({ id })),
            has_more: true,
            next_cursor: "at_101",
          },
        }
      : undefined,
  ),
  changeQuery("PAGE-5", "ignores the cursor", (query) => query.delete("cursor")),
  moved("PAGE-5", "a cursor omits an item", 1),
];
