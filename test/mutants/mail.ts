import { changeRequests, type Mutant, type RequirementId } from "./mutant.ts";
import { type Json, objectOf, textOf, without } from "./newsletter.ts";
import { messagesIn, withMessages } from "./requests.ts";

/** Changes each message to be sent. */
const changeMessages = (requirement: RequirementId, title: string, change: (message: Json) => Json): Mutant =>
  changeRequests(requirement, title, (request) =>
    messagesIn(request).length > 0 ? withMessages(request, change) : undefined,
  );

const isText = (value: unknown): value is string => typeof value === "string";

/** Changes the attachments of each message. */
const changeFiles = (requirement: RequirementId, title: string, change: (file: Json) => Json): Mutant =>
  changeMessages(requirement, title, (message) =>
    Array.isArray(message.attachments)
      ? { ...message, attachments: message.attachments.map((file) => change(objectOf(file))) }
      : message,
  );

/** Changes the MIME of each message that arrives. */
export const changeMail = (
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
