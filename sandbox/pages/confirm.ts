import { html } from "../../lib/html.ts";
import { confirmMembership } from "../control/operations/recipients.ts";
import type { SiteResponse } from "../control/response.ts";
import { type PageContext, userText } from "./components.ts";
import { renderPage } from "./layout.ts";

/** The page of the link in a confirmation email: confirms the membership. */
export async function confirmPage({ services, request, query }: PageContext): Promise<SiteResponse> {
  const email = query.get("email") ?? "";
  const listId = Number(query.get("list_id"));
  const token = query.get("token") ?? "";
  // Programs that check links send HEAD.
  if (request.method === "HEAD")
    return renderPage(services, { title: "Confirm", section: "/contacts", content: null });
  const { status } = await confirmMembership(services, { email, list_id: listId, token });
  const name = services.directory
    .accounts()
    .map(({ id }) => services.directory.list(id, listId)?.name)
    .find((one) => one !== undefined);
  const content = html`<p class="lead">${userText(email)} is ${status} to ${userText(name ?? `list ${listId}`)}.</p>
<p><a href="/contacts">Contacts</a></p>`;
  return renderPage(services, { title: "Confirmed", section: "/contacts", content });
}
