import type { Files } from "../../../lib/files.ts";
import { mapValues } from "../../../lib/map-values.ts";
import { notice } from "../../common/notice.ts";
import { pointerOf, valueAtPointer } from "../../document/json-pointer.ts";
import type { OpenApiDocument } from "../../document/types.ts";
import { entriesOf, everyText, type Node, nodeOf, type Path } from "../../document/values.ts";
import { type Edition, lossesOf } from "./edition.ts";
import { flat } from "./flat.ts";
import { openApi30 } from "./openapi-3-0.ts";

/** The editions as JSON, each with the notice (`x-generated`) and its losses (`x-losses`) at its head. */
export function editionFiles(bundle: OpenApiDocument): Files {
  const source = bundle as unknown as Node;
  const edition = openApi30(source);
  return new Map([
    ["openapi-3.0.json", print(source, edition, "OpenAPI 3.0")],
    ["openapi-flat.json", print(source, flat(source, edition), "OpenAPI 3.0 without unions")],
  ]);
}

function print(source: Node, { document, lost }: Edition, form: string): string {
  const { openapi, info, components, ...rest } = document;
  const inSource = usedBy(source, source.paths);
  const unused = componentsOf(source).filter((path) => !inSource.has(pointerOf(path)));
  const losses = lossesOf(source, [...lost, ...unused.map((path) => ({ path }))]);
  const used = usedBy(document, document.paths);
  const isUsed = (kind: string, name: string): boolean =>
    kind === "securitySchemes" || used.has(pointerOf(["components", kind, name]));
  const edition = {
    openapi,
    info: { ...nodeOf(info), description: `${nodeOf(info).description}${about(form)}` },
    "x-generated": notice,
    // A table of the toolkit is listed if it encodes something that nothing else does.
    "x-losses": losses.filter(
      ({ pointer, requirements }) => !pointer.startsWith("/x-") || requirements.length > 0,
    ),
    ...rest,
    components: mapValues(nodeOf(components), (values, kind) =>
      Object.fromEntries(entriesOf(values).filter(([name]) => isUsed(kind, name))),
    ),
  };
  return `${JSON.stringify(edition, null, 2)}\n`;
}

const about = (form: string): string => `
## This edition

This is \`openapi.json\` as ${form}. \`x-losses\` lists what it cannot express. Of the extensions named above, it has
\`x-technical-limit\` only.
`;

/** The paths of all components except security schemes, which are referred to by name. */
const componentsOf = ({ components }: Node): Path[] =>
  entriesOf(components)
    .filter(([kind]) => kind !== "securitySchemes")
    .flatMap(([kind, values]) => entriesOf(values).map(([name]) => ["components", kind, name]));

/** The JSON Pointers of the components that a part of the document refers to, directly or indirectly. */
function usedBy(document: Node, part: unknown, found = new Set<string>()): Set<string> {
  for (const { path, text } of everyText({ part })) {
    const pointer = text.slice(1);
    if (path.at(-1) !== "$ref" || found.has(pointer)) continue;
    found.add(pointer);
    usedBy(document, valueAtPointer(document, pointer), found);
  }
  return found;
}
