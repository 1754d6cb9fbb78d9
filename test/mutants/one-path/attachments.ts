import { isScheduled, isSend } from "../email.ts";
import {
  changeRequests,
  type Mutant,
  type MutantRequest,
  type RequirementId,
  respondInstead,
} from "../mutant.ts";
import { errorResponse, type Json, listOf, objectOf, textOf } from "../newsletter.ts";

const attachmentsOf = (request: MutantRequest): Json[] =>
  listOf(objectOf(request.body).attachments).map(objectOf);

const withAttachments = (request: MutantRequest, change: (all: Json[]) => Json[]): MutantRequest => ({
  ...request,
  body: { ...objectOf(request.body), attachments: change(attachmentsOf(request)) },
});

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
  [
    "ATT-9",
    "with a link to a private network",
    (one) =>
      /\/\/(10|127|192|169|172)\.|localhost|\[/.test(textOf(one.path))
        ? { ...one, path: "https://files.example.com/terms.pdf" }
        : one,
  ],
];

const ofAttachments: Mutant[] = attachmentRules.flatMap(([requirement, title, repair]) => [
  changeRequests(requirement, `accepts a second attachment ${title}`, (request) =>
    isSend(request) && attachmentsOf(request).length > 1
      ? withAttachments(request, (all) => all.map((one, index) => (index === 0 ? one : repair(one))))
      : undefined,
  ),
  changeRequests(requirement, `accepts an attachment ${title} in a scheduled send`, (request) =>
    isScheduled(request) && attachmentsOf(request).length > 0
      ? withAttachments(request, (all) => all.map(repair))
      : undefined,
  ),
  changeRequests(requirement, `accepts an inline image ${title}`, (request) =>
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

const ofCounts: Mutant[] = [
  changeRequests("ATT-2", "accepts 21 attachments in a scheduled send", (request) =>
    isScheduled(request) && attachmentsOf(request).length > 20
      ? withAttachments(request, (all) => all.slice(0, 20))
      : undefined,
  ),
  rejects(
    "ATT-2",
    "20 attachments if one is an inline image",
    (all) => all.length === 20 && all.some((one) => "content_id" in one),
  ),
  rejects(
    "ATT-1",
    "two attachments with the same filename",
    (all) => new Set(all.map(({ filename }) => filename)).size < all.length && all.length <= 20,
  ),
  rejects(
    "ATT-7",
    "a linked attachment in a scheduled send",
    (all, request) => isScheduled(request) && all.some((one) => "path" in one),
  ),
];

/** Attachments that are validated only on some paths. */
export const attachmentPathMutants: Mutant[] = [...ofAttachments, ...ofCounts];
