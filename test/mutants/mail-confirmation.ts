import { changeMail } from "./mail.ts";
import { changeRequests, type Mutant, type MutantRequest, respondInstead } from "./mutant.ts";

const isConfirmation = (mime: string): boolean => mime.includes("Subject: Please confirm");
const isLink = ({ path }: MutantRequest): boolean => path.startsWith("/confirm?");

const page = (status: number, text: string) => ({
  status,
  headers: { "content-type": "text/html; charset=utf-8" },
  body: undefined,
  text,
});

export const mailConfirmationMutants: Mutant[] = [
  changeMail("MEMB-12", "sends no confirmation email", (mime) => (isConfirmation(mime) ? undefined : mime)),
  changeMail("MEMB-12", "sends a confirmation email without a link", (mime) =>
    isConfirmation(mime) ? mime.replaceAll(/https?:/g, "") : mime,
  ),
  changeMail("MEMB-12", "sends a confirmation email with the link of a picture only", (mime) =>
    isConfirmation(mime)
      ? mime
          .replace("text/plain", "text/html")
          .replace(
            /\r\n\r\n[\s\S]*/,
            '\r\n\r\n<p><img src="https://bakery.example/logo.png"> Confirm.</p>\r\n',
          )
      : mime,
  ),
  respondInstead("MEMB-12", "the page of the confirmation email confirms nothing", (request) =>
    isLink(request) ? page(200, "<h1>Thank you. You are subscribed.</h1>") : undefined,
  ),
  respondInstead("MEMB-12", "the link of the confirmation email is not found", (request) =>
    isLink(request) ? page(404, "<h1>Not found</h1>") : undefined,
  ),
  respondInstead("MEMB-12", "the button of the confirmation page does nothing", (request) =>
    isLink(request) ? page(200, '<form method="post"><button name="confirm">Yes</button></form>') : undefined,
  ),
  changeRequests("MEMB-12", "the link of the confirmation email has expired when it arrives", (request) =>
    isLink(request) ? { ...request, path: request.path.replace(/token=[^&]*/, "token=expired") } : undefined,
  ),
];
