import { idOf, isMessageLookup, stateful } from "./email.ts";
import type { Mutant, RequirementId } from "./mutant.ts";
import { isSuccess, type Json, objectOf } from "./newsletter.ts";

/** A change that returns success but is not performed; records then show something else. */
export const unperformedChange = (
  requirement: RequirementId,
  title: string,
  {
    applies,
    responses,
    shows = (record) => record,
  }: {
    applies: (request: Parameters<typeof isMessageLookup>[0]) => boolean;
    /** The response body; undefined to perform the request. */
    responses?: (id: string) => Json;
    /** The record shown after the request succeeded. */
    shows?: (record: Json, asked: Json, now: number) => Json;
  },
): Mutant =>
  stateful(requirement, title, ({ now }) => {
    const asked = new Map<string, Json>();
    return async (request, next) => {
      const isAsked = applies(request);
      const path =
        isAsked && responses !== undefined ? { ...request, method: "GET", body: undefined } : request;
      const response = await next(path);
      if (isAsked && isSuccess(response)) {
        asked.set(idOf(request), objectOf(request.body));
        return responses === undefined ? response : { ...response, body: responses(idOf(request)) };
      }
      const known = asked.get(idOf(request));
      return isMessageLookup(request) && isSuccess(response) && known !== undefined
        ? { ...response, body: shows(objectOf(response.body), known, now()) }
        : response;
    };
  });
