import {
  acceptsSend,
  changeSendResponses,
  idOf,
  isMessageLookup,
  isScheduled,
  isSend,
  isSuppressed,
  stateful,
} from "./email.ts";
import { type Mutant, type MutantRequest, type RequirementId, respondInstead, takes } from "./mutant.ts";
import { errorResponse, isSuccess, type Json, listOf, objectOf, textOf, without } from "./newsletter.ts";
import { withFields } from "./requests.ts";

/** Responses to sends. */
export const sendResponseMutants: Mutant[] = [
  stateful("SEND-1", "loses an accepted message", () => {
    const forgotten = new Set<unknown>();
    return async (request, next) => {
      if (isMessageLookup(request) && forgotten.has(idOf(request))) return errorResponse(404, "not_found");
      const response = await next(request);
      if (isSend(request) && isSuccess(response)) forgotten.add(objectOf(response.body).id);
      return response;
    };
  }),
  changeSendResponses("SEND-33", "to in the response has only the first recipient", (body) => ({
    ...body,
    to: (body.to as unknown[]).slice(0, 1),
  })),
  changeSendResponses("SEND-34", "suppressed in the response omits recent suppressions", (body) => ({
    ...body,
    to: [...(body.to as unknown[]), ...(body.suppressed as unknown[]).filter((one) => !isSuppressed(one))],
    suppressed: (body.suppressed as unknown[]).filter(isSuppressed),
  })),
];

/** Responses to sends that are valid as the variant for another request. */
export const responseVariantMutants: Mutant[] = [
  stateful("SCHED-3", "the id of a scheduled message has no prefix, and its response has a to", () => {
    const late = "/api/v1/emails/late_";
    return async (request, next) => {
      const isLate = request.path.startsWith(late);
      const response = await next(
        isLate ? { ...request, path: request.path.replace("/late_", "/sched_") } : request,
      );
      const applies = isScheduled(request) || (isLate && isMessageLookup(request));
      if (!applies || !isSuccess(response)) return response;
      const body = objectOf(response.body);
      const to = isLate ? body.to : objectOf(request.body).to;
      return { ...response, body: { ...body, to, id: String(body.id).replace("sched_", "late_") } };
    };
  }),
];

const filesIn = (body: unknown): Json[] => {
  const { attachments } = objectOf(body);
  return Array.isArray(attachments) ? attachments.map(objectOf) : [];
};

const sumOf = (sizes: readonly number[]): number => sizes.reduce((sum, size) => sum + size, 0);

const sizeOf = ({ content }: Json): number => (String(content ?? "").length * 3) / 4;

interface Sizes {
  files: number[];
  /** Those of the files that are not inline images. */
  plain: number[];
  html: number;
  text: number;
}

/** In bytes before encoding. */
const sizesIn = (body: Json): Sizes => ({
  files: filesIn(body).map(sizeOf),
  plain: filesIn(body)
    .filter((file) => !("content_id" in file))
    .map(sizeOf),
  html: textOf(body.html).length,
  text: textOf(body.text).length,
});

const largest = 28 * 1024 * 1024;

/** Compares only a part of a message with the size limit. */
const countsOnly = (part: string, size: (sizes: Sizes) => number): Mutant =>
  acceptsSend("ATT-13", `a message that is too large, because only ${part} counts`, (body) => {
    const sizes = sizesIn(body);
    const isTooLarge = sumOf(sizes.files) + sizes.html + sizes.text > largest;
    return isTooLarge && size(sizes) <= largest
      ? { ...without(body, "attachments"), html: "Short.", text: "Short." }
      : undefined;
  });

export const attachmentMutants: Mutant[] = [
  countsOnly("html and text", ({ html, text }) => html + text),
  countsOnly("attachments and html", ({ files, html }) => sumOf(files) + html),
];

const attachmentsOf = (request: MutantRequest): Json[] =>
  listOf(objectOf(request.body).attachments).map(objectOf);

const withAttachments = (request: MutantRequest, change: (all: Json[]) => Json[]): MutantRequest =>
  withFields(request, { attachments: change(attachmentsOf(request)) });

/** Repairs what is wrong with an attachment. */
const attachmentRules: [RequirementId, string, (one: Json) => Json][] = [
  ["ATT-3", "without a filename", (one) => ({ filename: "file.txt", ...one })],
  [
    "ATT-4",
    "without content and path",
    (one) => ("content" in one || "path" in one ? one : { ...one, content: "QQ==" }),
  ],
  [
    "ATT-5",
    "with content that is not base64",
    (one) => ("content" in one ? { ...one, content: "QQ==" } : one),
  ],
  [
    "ATT-7",
    "with a link that is not https",
    (one) => ("path" in one ? { ...one, path: textOf(one.path).replace(/^[a-z]+:/, "https:") } : one),
  ],
];

export const ofAttachments: Mutant[] = attachmentRules.flatMap(([requirement, title, repair]) => [
  takes(requirement, `accepts a second attachment ${title}`, (request) =>
    isSend(request) && attachmentsOf(request).length > 1
      ? withAttachments(request, (all) => all.map((one, index) => (index === 0 ? one : repair(one))))
      : undefined,
  ),
  takes(requirement, `accepts an attachment ${title} in a scheduled send`, (request) =>
    isScheduled(request) && attachmentsOf(request).length > 0
      ? withAttachments(request, (all) => all.map(repair))
      : undefined,
  ),
  takes(requirement, `accepts an inline image ${title}`, (request) =>
    isSend(request) && attachmentsOf(request).some((one) => "content_id" in one)
      ? withAttachments(request, (all) => all.map((one) => ("content_id" in one ? repair(one) : one)))
      : undefined,
  ),
]);

const rejects = (
  requirement: RequirementId,
  title: string,
  isRejected: (all: Json[], request: MutantRequest) => boolean,
): Mutant =>
  respondInstead(requirement, `rejects ${title}`, (request) =>
    isSend(request) && isRejected(attachmentsOf(request), request)
      ? errorResponse(422, "invalid_request", "attachments")
      : undefined,
  );

export const ofCounts: Mutant[] = [
  takes("ATT-2", "accepts 21 attachments in a scheduled send", (request) =>
    isScheduled(request) && attachmentsOf(request).length > 20
      ? withAttachments(request, (all) => all.slice(0, 20))
      : undefined,
  ),
  rejects(
    "ATT-1",
    "two attachments with the same filename",
    (all) => new Set(all.map(({ filename }) => filename)).size < all.length && all.length <= 20,
  ),
];
