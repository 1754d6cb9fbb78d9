import { type DefaultTreeAdapterTypes, parse } from "parse5";

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

/** In characters: mails and pages that confirm something have less. */
const mostRead = 256 * 1024;

/** The links of a page, as a web browser reads it. */
export const linksIn = (html: string) =>
  elementsIn(pageOf(html), "a").map((element) => ({
    url: attribute(element, "href"),
    label: textOf(element),
  }));

export const formsIn = (html: string) =>
  elementsIn(pageOf(html), "form").map((form) => ({
    action: attribute(form, "action"),
    isPost: attribute(form, "method").toLowerCase() === "post",
    fields: elementsIn(form, "input", "button")
      .map((field): [name: string, value: string] => [attribute(field, "name"), attribute(field, "value")])
      .filter(([name]) => name !== ""),
    /** Its attributes and texts, by which people see what it is for. */
    text: `${[form, ...within(form)].flatMap(attributesOf).join(" ")} ${textOf(form)}`,
  }));

const pageOf = (html: string): Node => parse(html.slice(0, mostRead));

const elementsIn = (root: Node, ...names: string[]): Element[] =>
  within(root).filter((node): node is Element => isElement(node) && names.includes(node.tagName));

const isElement = (node: Node): node is Element => "tagName" in node;

const attributesOf = (node: Node): string[] =>
  isElement(node) ? node.attrs.map(({ name, value }) => `${name}=${value}`) : [];

const attribute = ({ attrs }: Element, name: string): string =>
  attrs.find((one) => one.name === name)?.value.trim() ?? "";

/** Texts of more elements would take time that is squared in their number, if they contain each other. */
const mostWithin = 100;

const textOf = (element: Element): string =>
  within(element, mostWithin)
    .map((node) => ("value" in node ? node.value : ""))
    .join("");

/** The nodes in a node in their order; a page may be nested in more levels than a function can call itself. */
function within(root: Node, most = Number.POSITIVE_INFINITY): Node[] {
  const found: Node[] = [];
  const open = "childNodes" in root ? root.childNodes.toReversed() : [];
  for (let node = open.pop(); node !== undefined && found.length < most; node = open.pop()) {
    found.push(node);
    if ("childNodes" in node) for (const child of node.childNodes.toReversed()) open.push(child);
  }
  return found;
}
