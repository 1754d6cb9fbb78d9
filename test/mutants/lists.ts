import { type Mutant, respondInstead } from "./mutant.ts";
import { changeListing, isUpsert, type Json, objectOf, paths } from "./newsletter.ts";

const fieldsIn = (body: unknown): Json => objectOf(objectOf(body).fields);

/** Lists. */
export const ofLists: Mutant[] = [
  changeListing("LIST-1", "the last list is missing", "lists", (lists) => ({ lists: lists.slice(0, -1) })),
  changeListing("LIST-1", "the first list is repeated", "lists", (lists) => ({
    lists: [...lists, ...lists.slice(0, 1)],
  })),
  changeListing("LIST-1", "the lists include one of another account", "lists", (lists) => ({
    lists: [...lists, { id: 11, name: "Flowers of the month", double_opt_in: false }],
  })),
];

/** Custom fields. */
export const ofFields: Mutant[] = [
  changeListing("LIST-5", "the custom fields are the whole body", "fields", (fields) => fields),
  changeListing("LIST-5", "the custom fields are in data", "fields", (fields) => ({ data: fields })),
  {
    requirement: "LIST-11",
    title: "a rejected value for an undefined custom field defines it",
    intercept: () => {
      const defined: Json[] = [];
      return async (request, next) => {
        const response = await next(request);
        if (isUpsert(request) && response.status === 422)
          for (const key of Object.keys(fieldsIn(request.body)))
            if (key.startsWith("contract_")) defined.push({ key, label: key, type: "text", fallback: null });
        const isReading =
          request.method === "GET" && request.path === paths.fields && response.status === 200;
        if (!isReading) return response;
        const { fields } = objectOf(response.body);
        return { ...response, body: { fields: [...(fields as Json[]), ...defined] } };
      };
    },
  },
  respondInstead("LIST-11", "POST on the custom fields returns 201", (request, next) =>
    request.method === "POST" && request.path === paths.fields
      ? next({ ...request, method: "GET", body: undefined }).then((response) => ({
          ...response,
          status: 201,
          body: request.body,
        }))
      : undefined,
  ),
];
