import { idOf, isLook, remembering } from "./email.ts";
import type { Fault, RequirementId } from "./fault.ts";
import { isGood, type Json, objectOf } from "./newsletter.ts";

/** A change of messages that is not made and yet answered; records of those messages are shown otherwise. */
export const pretending = (
  breaks: RequirementId,
  title: string,
  {
    isMeant,
    answers,
    shows = (record) => record,
  }: {
    isMeant: (request: Parameters<typeof isLook>[0]) => boolean;
    /** What is answered; undefined to let the call through. */
    answers?: (id: string) => Json;
    /** What is shown of a message for which the call was made with success. */
    shows?: (record: Json, asked: Json, now: number) => Json;
  },
): Fault =>
  remembering(breaks, title, ({ now }) => {
    const asked = new Map<string, Json>();
    return async (request, next) => {
      const isAsked = isMeant(request);
      const path =
        isAsked && answers !== undefined ? { ...request, method: "GET", body: undefined } : request;
      const answer = await next(path);
      if (isAsked && isGood(answer)) {
        asked.set(idOf(request), objectOf(request.body));
        return answers === undefined ? answer : { ...answer, body: answers(idOf(request)) };
      }
      const known = asked.get(idOf(request));
      return isLook(request) && isGood(answer) && known !== undefined
        ? { ...answer, body: shows(objectOf(answer.body), known, now()) }
        : answer;
    };
  });
