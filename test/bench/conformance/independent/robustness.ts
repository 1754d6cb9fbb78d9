import { isObject } from "../../../../lib/objects.ts";
import { decoded as decodedOrNot } from "../../../../lib/text.ts";
import { isBatch, isCancel, isSend } from "../../../mutants/email.ts";
import { crashes, pathOf } from "../../../mutants/fault-support.ts";
import type { MutantRequest } from "../../../mutants/mutant.ts";
import { isUnsubscribe, isUpsert, listOf, objectOf } from "../../../mutants/newsletter.ts";
import { type IndependentFault, madeUp } from "./fault.ts";

const hasBody = ({ body, text = "" }: MutantRequest): boolean => body !== undefined || text !== "";

/** Requests that end in an unhandled exception. */
export const robustnessFaults: IndependentFault[] = madeUp(
  crashes(
    "ERR-13",
    "an unsubscribe whose media type has a charset ends in a 500",
    (request) => isUnsubscribe(request) && /charset/i.test(request.headers["content-type"] ?? ""),
  ),
  crashes(
    "BATCH-1",
    "a batch whose messages are an object ends in a 500",
    (request) => isBatch(request) && isObject(objectOf(request.body).emails),
  ),
  crashes(
    "ERR-13",
    "a cancellation with a body ends in a 500",
    (request) => isCancel(request) && hasBody(request),
  ),
  crashes(
    "UNSUB-7",
    "a number as the reason of an unsubscribe ends in a 500",
    (request) => isUnsubscribe(request) && typeof objectOf(request.body).reason === "number",
  ),
  crashes(
    "SEND-18",
    "an object as cc ends in a 500",
    (request) => isSend(request) && isObject(objectOf(request.body).cc),
  ),
  crashes(
    "ATT-3",
    "an attachment that is no object ends in a 500",
    (request) =>
      isSend(request) &&
      listOf(objectOf(request.body).attachments).some((one) => typeof one !== "object" || one === null),
  ),
  crashes(
    "ERR-13",
    "a broken percent sequence in the path of an unsubscribe ends in a 500",
    (request) => isUnsubscribe(request) && decodedOrNot(pathOf(request)) === undefined,
  ),
  crashes(
    "ERR-10",
    "a contact that is null ends in a 500",
    (request) => isUpsert(request) && request.body === null,
  ),
);
