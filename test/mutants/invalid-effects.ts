// A request that is rejected as invalid is carried out nevertheless, without what is invalid in it.

import { isObject } from "../../lib/objects.ts";
import { isReschedule, isSend, stateful } from "./email.ts";
import { without } from "./fault-support.ts";
import type { Mutant, MutantRequest, RequirementId } from "./mutant.ts";
import { isUnsubscribe, isUpsert, type Json, listOf, objectOf, textOf } from "./newsletter.ts";
import { withoutKey } from "./same-key.ts";

type Repair = (body: Json) => Json | undefined;

/** @param repair the body that is stored for an invalid one; undefined for a body with another fault */
const stored = (
  requirement: RequirementId,
  title: string,
  applies: (request: MutantRequest) => boolean,
  repair: Repair,
): Mutant =>
  stateful(requirement, title, () => async (request, next) => {
    const response = await next(request);
    const body = applies(request) && response.status === 422 ? repair(objectOf(request.body)) : undefined;
    if (body !== undefined) await next({ ...withoutKey(request), body });
    return response;
  });

const isText = (value: unknown): boolean => typeof value === "string";

/** Leaves a property out if it is no text. */
const withoutNoText =
  (name: string): Repair =>
  (body) =>
    name in body && !isText(body[name]) ? without(body, name) : undefined;

/** Cuts a name after the longest one that is allowed. */
const cut =
  (name: string): Repair =>
  (body) =>
    textOf(body[name]).length > 120 ? { ...body, [name]: textOf(body[name]).slice(0, 120) } : undefined;

/** Leaves a property of the consent out. */
const withoutInConsent =
  (name: string): Repair =>
  (body) => {
    const consent = objectOf(body.consent);
    return name in consent && !isText(consent[name])
      ? { ...body, consent: without(consent, name) }
      : undefined;
  };

export const invalidEffectMutants: Mutant[] = [
  // Source: wp-sms/wp-sms#514 (the row is written before the failure)
  stored("CONT-8", "a contact with a first name that is too long is added", isUpsert, cut("first_name")),
  stored("CONT-8", "a contact whose first name is no text is added", isUpsert, withoutNoText("first_name")),
  stored("CONT-9", "a contact with a last name that is too long is added", isUpsert, cut("last_name")),
  // Source: molgenis/molgenis#1791 (the record is created before its parts)
  stored("CONT-10", "a contact with too many custom fields is added without them", isUpsert, (body) =>
    Object.keys(objectOf(body.fields)).length > 20 ? without(body, "fields") : undefined,
  ),
  stored("CONT-14", "a contact whose tags are no list is added", isUpsert, (body) =>
    "tags" in body && !Array.isArray(body.tags) ? without(body, "tags") : undefined,
  ),
  stored("CONT-15", "a contact with a tag that is no text is added", isUpsert, (body) =>
    listOf(body.tags).every(isText) ? undefined : { ...body, tags: listOf(body.tags).filter(isText) },
  ),
  stored(
    "CONT-17",
    "a contact with an invalid consent detail is added",
    isUpsert,
    withoutInConsent("detail"),
  ),
  stored("CONT-21", "a contact with an invalid consent address is added", isUpsert, withoutInConsent("ip")),
  stored("ERR-10", "a contact whose consent is no object is added", isUpsert, (body) =>
    "consent" in body && !isObject(body.consent) ? without(body, "consent") : undefined,
  ),
  stored("ERR-10", "a contact whose custom fields are no object is added", isUpsert, (body) =>
    "fields" in body && !isObject(body.fields) ? without(body, "fields") : undefined,
  ),
  stored("CONT-13", "a contact with a truth value in a custom field is added", isUpsert, (body) =>
    Object.values(objectOf(body.fields)).includes(true) ? without(body, "fields") : undefined,
  ),
  // Source: ManifoldScholar/manifold#684 (what is invalid is ignored)
  stored("UNSUB-6", "an invalid list_id unsubscribes from everything", isUnsubscribe, (body) =>
    "list_id" in body && !Number.isInteger(body.list_id) ? without(body, "list_id") : undefined,
  ),
  stored(
    "UNSUB-7",
    "a contact is unsubscribed in spite of an invalid reason",
    isUnsubscribe,
    withoutNoText("reason"),
  ),
  stored("GEN-6", "a time without an offset is rejected, and taken as one in UTC", isReschedule, (body) =>
    isText(body.scheduled_at) && !/(Z|[+-]\d\d:\d\d)$/i.test(textOf(body.scheduled_at))
      ? { scheduled_at: `${textOf(body.scheduled_at)}Z` }
      : undefined,
  ),
  stored("ERR-10", "a send with an html that is no text is sent as text", isSend, (body) =>
    "html" in body && !isText(body.html) ? { ...without(body, "html"), text: "-" } : undefined,
  ),
  stored("ERR-10", "a send with a subject that is too long is sent with a shorter one", isSend, (body) =>
    textOf(body.subject).length > 998 ? { ...body, subject: textOf(body.subject).slice(0, 998) } : undefined,
  ),
];
