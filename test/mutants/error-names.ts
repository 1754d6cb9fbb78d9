import { changeResponses, type Mutant, type MutantRequest, type RequirementId } from "./mutant.ts";
import { objectOf } from "./newsletter.ts";
import { errorIn, isError, isRequestTo, messagesIn, withError } from "./requests.ts";

type Applies = Parameters<typeof isRequestTo>[1];

/** Adds names to `error.fields` of certain errors. */
const alsoNames = (
  requirement: RequirementId,
  title: string,
  [status, type]: readonly [number, string],
  operation: Applies,
  names: readonly string[] | ((request: MutantRequest) => readonly string[]),
): Mutant =>
  changeResponses(requirement, title, (response, request) => {
    if (!isError(response, status, type) || !isRequestTo(request, operation)) return undefined;
    const added = typeof names === "function" ? names(request) : names;
    const pairs = added.map((name) => [name, ["Check this."]]);
    const fields = { ...Object.fromEntries(pairs), ...objectOf(errorIn(response)?.fields) };
    return withError(response, { fields });
  });

const invalid = [422, "invalid_request"] as const;

/** Every property that the request has. */
const sent = ({ body }: MutantRequest): string[] => Object.keys(objectOf(body));

/** Errors whose `error.fields` names fields that are valid. */
export const errorNameMutants: Mutant[] = [
  alsoNames("ERR-10", "an invalid reschedule also names the id", invalid, "rescheduleEmail", ["id"]),
  alsoNames("ERR-10", "an invalid contact also names first_name", invalid, "upsertContact", ["first_name"]),
  alsoNames("ERR-10", "an invalid unsubscribe also names the email address", invalid, "unsubscribeContact", [
    "email",
  ]),
  alsoNames("BATCH-8", "an invalid message of a batch also names its to", invalid, "sendBatch", (request) =>
    messagesIn(request).map((_, index) => `emails.${index}.to`),
  ),
  alsoNames("AUTH-16", "a missing product names every field", [402, "no_plan"], "newsletter", sent),
  alsoNames("LIMIT-7", "the sending ceiling names to", [429, "send_rejected"], "sendEmail", ["to"]),
];

/** Errors without `error.fields`. */
const namesNothing = (title: string, applies: (body: Record<string, unknown>) => boolean): Mutant =>
  changeResponses("ERR-10", title, (response, request) =>
    isError(response, ...invalid) && isRequestTo(request, "sendEmail") && applies(objectOf(request.body))
      ? withError(response, { fields: undefined })
      : undefined,
  );

export const unnamedFieldMutants: Mutant[] = [
  namesNothing("an attachment in a private network names no field", ({ attachments }) =>
    JSON.stringify(attachments ?? "").includes("terms.pdf"),
  ),
  namesNothing("an unknown template names no field", ({ template_id }) =>
    String(template_id).startsWith("no-template"),
  ),
];
