import type { Answer, Header, OpenApiDocument } from "../document.ts";
import { resolved } from "../reference.ts";
import { code, entry, joined, siteLink } from "./markdown.ts";
import { smallPrint } from "./marks.ts";
import { frontText } from "./operation/answers.ts";
import { fieldList } from "./operation/request.ts";
import type { Page } from "./page.ts";

/** What holds for every call: address, keys, headers of answers, and the answers given before any operation is reached. */
export function callingPage(document: OpenApiDocument): Page {
  const headers = Object.entries(document.components.headers ?? {}).map(([name, reference]) => {
    const header = resolved<Header>(document, reference);
    return entry(`**${code(name)}**`, header.description, smallPrint(header));
  });
  const servers = document.servers.map(({ url, description }) => `- ${code(url)}: ${description ?? ""}`);
  const fronts = Object.entries(document["x-front-answers"] ?? {});
  return {
    address: "calling",
    title: "Calling the API",
    description: "What holds for every call: the address, the key, times, headers, and what to pass over.",
    text: joined(
      document.info.summary,
      document.info.description,
      smallPrint(document.info),
      "## The host",
      servers.join("\n"),
      smallPrint(document.servers[0] ?? {}),
      `How a call shows its key is told under ${siteLink("keys and abilities", "abilities")}.`,
      "## Groups of operations",
      document.tags
        .map((tag) => entry(`**${tag.name}** ${tag.description ?? ""}`, smallPrint(tag)))
        .join("\n"),
      "## Headers of answers",
      "By the names that the contract has for them; each operation shows which it answers with.",
      fieldList(headers.join("\n")),
      "## Answers before any operation",
      ...fronts.map(([status, reference]) =>
        frontText(document, status, resolved<Answer>(document, reference)),
      ),
    ),
  };
}
