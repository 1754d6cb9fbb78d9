import { operationsOf } from "../document/operations.ts";
import { dereference } from "../document/references.ts";
import type { Header, OpenApiDocument, Parameter, ResponseObject } from "../document/types.ts";
import { kebab } from "./addresses.ts";
import { code, entry, joined, operationLinks, siteLink } from "./markdown.ts";
import { smallPrint } from "./marks.ts";
import { frontText } from "./operation/answers.ts";
import { headerNames } from "./operation/header-names.ts";
import { headerEntry } from "./operation/headers.ts";
import { fieldList, parameterText } from "./operation/request.ts";
import type { Page } from "./page.ts";

/** What holds for every call: address, keys, headers of answers, and the answers given before any operation is reached. */
export function callingPage(document: OpenApiDocument): Page {
  const { info, tags } = document;
  const fronts = Object.entries(document["x-gateway-responses"] ?? {});
  return {
    address: "calling",
    title: "Calling the API",
    description: "What holds for every call: the address, the key, times, headers, and what to pass over.",
    text: joined(
      info.summary,
      info.description,
      smallPrint(info),
      "## The host",
      document.servers.map(serverText).join("\n"),
      `How a call shows its key is told under ${siteLink("keys and abilities", "abilities")}.`,
      "## Groups of operations",
      tags.map((tag) => entry(`**${tag.name}** ${tag.description ?? ""}`, smallPrint(tag))).join("\n"),
      "## Headers of answers",
      "By the names that the contract has for them; each operation shows which it answers with.",
      fieldList(headerTexts(document).join("\n")),
      "## Answers before any operation",
      ...fronts.map(([status, reference]) =>
        frontText(document, status, dereference<ResponseObject>(document, reference)),
      ),
      unusedText(document),
      "## The document",
      documentText(document),
    ),
  };
}

function serverText(server: OpenApiDocument["servers"][number]): string {
  const variables = Object.entries(server.variables ?? {}).map(
    ([name, variable]) =>
      `- ${code(name)}: ${variable.description ?? ""} ${code(variable.default)} where nothing else is said.`,
  );
  return entry(`${code(server.url)}: ${server.description ?? ""}`, variables.join("\n"), smallPrint(server));
}

const headerTexts = (document: OpenApiDocument): string[] =>
  Object.entries(document.components.headers ?? {}).map(([name, reference]) => {
    const header = dereference<Header>(document, reference);
    const sent = headerNames(document, header).map(code).join(", ");
    const only = header["x-operations"];
    return headerEntry(
      document,
      { id: kebab(name), name },
      header,
      `Answers carry it as ${sent}${only === undefined ? "" : `, those of ${operationLinks(only)} alone`}.`,
    );
  });

/** Parameters that the document describes for calls to come. */
function unusedText(document: OpenApiDocument): string {
  const used = new Set(operationsOf(document).flatMap(({ parameters }) => parameters));
  const entries = Object.values(document.components.parameters ?? {})
    .map((reference) => dereference<Parameter>(document, reference))
    .filter((parameter) => !used.has(parameter))
    .map((parameter) => parameterText(document, parameter));
  return entries.length === 0
    ? ""
    : joined("## Parameters that no operation takes yet", fieldList(entries.join("\n")));
}

function documentText({ info }: OpenApiDocument): string {
  const { contact, license } = info;
  const lines = [
    `${info.title}, version ${info.version} of the contract, as ${siteLink("JSON", "openapi.json")} and as ${siteLink("YAML", "openapi.yaml")}.`,
    license && `Licence: ${license.name}.`,
    contact && `Questions: ${contact.name}, ${code(contact.url)}.`,
  ];
  return lines.filter(Boolean).join(" ");
}
