import { idOf, isBatch, isCancel, isReschedule, isSend, stateful } from "./email.ts";
import { type Mutant, type RequirementId, respondInstead, takes } from "./mutant.ts";
import { errorResponse, isSuccess, type Json, listOf, objectOf, textOf, without } from "./newsletter.ts";
import { sentMessages, withMessages } from "./requests.ts";
import { withoutKey } from "./same-key.ts";

/** Changes each message to be sent. */
const changeMessages = (requirement: RequirementId, title: string, change: (message: Json) => Json): Mutant =>
  takes(requirement, title, (request) =>
    sentMessages(request).length > 0 ? withMessages(request, change) : undefined,
  );

const isText = (value: unknown): value is string => typeof value === "string";

/** The text of a file in base64 with other line breaks. */
const withBreaks = (content: string, lineBreak: string): string =>
  Buffer.from(
    Buffer.from(content, "base64").toString("latin1").replaceAll(/\r?\n/g, lineBreak),
    "latin1",
  ).toString("base64");

/** Changes the attachments of each message. */
const changeFiles = (requirement: RequirementId, title: string, change: (file: Json) => Json): Mutant =>
  changeMessages(requirement, title, (message) =>
    Array.isArray(message.attachments)
      ? { ...message, attachments: message.attachments.map((file) => change(objectOf(file))) }
      : message,
  );

/** Changes the MIME of each message that arrives. */
const changeMail = (
  requirement: RequirementId,
  title: string,
  deliver: NonNullable<Mutant["deliver"]>,
): Mutant => ({ requirement, title, intercept: () => (request, next) => next(request), deliver });

export const mailMutants: Mutant[] = [
  changeMessages("SEND-11", "sends html as text", (message) =>
    isText(message.html) && !("text" in message)
      ? { ...without(message, "html"), text: message.html }
      : message,
  ),
  changeMessages("SEND-11", "sends no html if there is text", (message) =>
    isText(message.html) && isText(message.text) ? without(message, "html") : message,
  ),
  changeMessages("SEND-12", "sends no text if there is html", (message) =>
    isText(message.html) && isText(message.text) ? without(message, "text") : message,
  ),
  changeMessages("SEND-12", "loses characters outside ASCII in the text", (message) =>
    isText(message.text) ? { ...message, text: message.text.replaceAll(/[^ -~\n]/g, "?") } : message,
  ),
  changeMessages("SEND-17", "ignores reply_to", (message) => without(message, "reply_to")),
  changeMail("SEND-17", "replies without reply_to go nowhere", (mime) =>
    /^Reply-To:/m.test(mime) ? mime : `Reply-To: no-reply@bakery.example\r\n${mime}`,
  ),
  changeMail("SEND-24", "sends no List-Unsubscribe", (mime) =>
    mime.replace(/^List-Unsubscribe: .*\r\n(?: .*\r\n)*/m, ""),
  ),
  changeFiles("ATT-10", "ignores content_id", (file) => without(file, "content_id")),
  // Source: Wh1isper/mcp-email-server#157 (inline parts by their content id)
  changeFiles("ATT-10", "a content_id ends at an @", (file) => ({
    ...file,
    ...("content_id" in file && { content_id: textOf(file.content_id).split("@")[0] }),
  })),
  // Source: from experience (the content id is that of the message)
  changeMessages("ATT-10", "all files have the content id of the first", (message) => {
    const first = listOf(message.attachments).map(objectOf)[0]?.content_id;
    if (first === undefined) return message;
    const files = listOf(message.attachments).map((file) => ({ ...objectOf(file), content_id: first }));
    return { ...message, attachments: files };
  }),
  // Source: from experience (inline files by their position)
  changeMessages("ATT-10", "the first two files exchange their content ids", (message) => {
    const [first, second, ...others] = listOf(message.attachments).map(objectOf);
    if (first?.content_id === undefined || second?.content_id === undefined) return message;
    const { content_id: one } = first;
    const exchanged = [
      { ...first, content_id: second.content_id },
      { ...second, content_id: one },
    ];
    return { ...message, attachments: [...exchanged, ...others] };
  }),
  // Source: from experience (files with a text type are sent in text mode)
  ...Object.entries({ CRLF: "\r\n", LF: "\n" }).map(([name, lineBreak]) =>
    changeFiles("ATT-1", `writes line breaks of text files as ${name}`, (file) =>
      isText(file.content) && textOf(file.content_type).startsWith("text/")
        ? { ...file, content: withBreaks(file.content, lineBreak) }
        : file,
    ),
  ),
  changeMail("ATT-10", "sends the HTML body without images", (mime) => mime.replaceAll(/<img[^>]*>/g, "")),
  changeFiles("ATT-12", "takes the default content_type from the filename", (file) =>
    "content_type" in file || !textOf(file.filename).endsWith(".pdf")
      ? file
      : { ...file, content_type: "application/pdf" },
  ),
  changeFiles("ATT-12", "the default content_type is text/plain", (file) => ({
    content_type: "text/plain",
    ...file,
  })),
  ...Object.entries({
    "the link in place of the file": (link: string) => Buffer.from(link),
    "the name of the file in place of the file": () => Buffer.from("terms.pdf"),
  }).map(([title, contentOf]) =>
    changeFiles("ATT-6", `attaches ${title}`, (file) =>
      isText(file.path) && file.path.startsWith("https://files.") && !("content" in file)
        ? { ...without(file, "path"), content: contentOf(file.path).toString("base64") }
        : file,
    ),
  ),
];

const recipientsOf = (message: Json): unknown[] =>
  ["to", "cc", "bcc"].flatMap((field) => listOf(message[field]));

/** Mutants of sends that only show in some cases. */
export const mailCasesMutants: Mutant[] = [
  respondInstead(
    "SEND-7",
    "rejects more recipients in to, cc and bcc together than one of them can have",
    (request) =>
      isSend(request) &&
      recipientsOf(objectOf(request.body)).length > 50 &&
      ["to", "cc", "bcc"].every((field) => listOf(objectOf(request.body)[field]).length <= 50)
        ? errorResponse(422, "invalid_request", "to")
        : undefined,
  ),
  stateful(
    "BATCH-7",
    "a batch rejected for a sender sends its other messages",
    () => async (request, next) => {
      const response = await next(request);
      if (isBatch(request) && [403, 422].includes(response.status))
        for (const body of sentMessages(request))
          await next({ ...withoutKey(request), path: "/api/v1/emails", body });
      return response;
    },
  ),
  stateful("SCHED-13", "a rescheduled message cannot be canceled", () => {
    const changed = new Set<string>();
    return async (request, next) => {
      if (isCancel(request) && changed.has(idOf(request))) return errorResponse(409, "not_cancellable");
      const response = await next(request);
      if (isReschedule(request) && isSuccess(response)) changed.add(idOf(request));
      return response;
    };
  }),
];

/** Shows the recipients in bcc to all others. */
function showsHidden(): Mutant {
  const hidden = new Map<string, string>();
  return {
    requirement: "SEND-19",
    title: "sends the header Bcc",
    intercept: () => (request, next) => {
      for (const { to, bcc } of sentMessages(request))
        if (listOf(bcc).length > 0) hidden.set(textOf(listOf(to)[0]), listOf(bcc).map(String).join(", "));
      return next(request);
    },
    deliver: (mime) => {
      const [, recipients] = [...hidden].find(([recipient]) => mime.includes(recipient)) ?? [];
      return recipients === undefined ? mime : `Bcc: ${recipients}\r\n${mime}`;
    },
  };
}

export const mailTemplatesMutants: Mutant[] = [showsHidden()];

const isConfirmation = (mime: string): boolean => mime.includes("Subject: Please confirm");

export const mailConfirmationMutants: Mutant[] = [
  changeMail("MEMB-12", "sends no confirmation email", (mime) => (isConfirmation(mime) ? undefined : mime)),
  changeMail("MEMB-12", "sends a confirmation email without a link", (mime) =>
    isConfirmation(mime) ? mime.replaceAll(/https?:/g, "") : mime,
  ),
];
