import { html } from "../../lib/html.ts";
import { confirmMembership } from "../control/operations/recipients.ts";
import { ControlError, type SiteResponse } from "../control/response.ts";
import { type PageContext, userText } from "./components.ts";
import { renderPage } from "./layout.ts";

/** The page of the link in a confirmation email: confirms the membership. */
export async function confirmPage(context: PageContext): Promise<SiteResponse> {
  const { services, request, query } = context;
  // Programs that check links send HEAD.
  if (request.method === "HEAD")
    return renderPage(context, { title: "Confirm", section: "/contacts", content: null });
  const { email, listId, token } = valuesOf(query);
  const { status } = await confirmMembership(services, { email, list_id: listId, token });
  const name = services.directory
    .accounts()
    .map(({ id }) => services.directory.list(id, listId)?.name)
    .find((one) => one !== undefined);
  const content = html`<p class="lead">${userText(email)} is ${status} to ${userText(name ?? `list ${listId}`)}.</p>
<p><a href="/contacts">Contacts</a></p>`;
  return renderPage(context, { title: "Confirmed", section: "/contacts", content });
}

/** @throws ControlError */
function valuesOf(query: URLSearchParams): { email: string; listId: number; token: string } {
  const [email, list, token] = ["email", "list_id", "token"].map((name) => query.get(name) ?? "");
  if (email && list && /^\d{1,15}$/.test(list) && token) return { email, listId: Number(list), token };
  throw new ControlError(
    422,
    `The link is not complete (got ${JSON.stringify(query.toString().slice(0, 200))}).`,
    "Copy the whole link of the confirmation email: it has `list_id`, `email` and `token`.",
  );
}
