import { z } from "zod";
import settingsSchema from "../../contract/config/contract.schema.json" with { type: "json" };
import { operationsOf } from "../../contract/selection.ts";
import { errors } from "../../generated/errors.ts";
import { operations } from "../../generated/operations.ts";
import { usageError } from "../../lib/user-error.ts";
import { operationPath } from "../docs/page.ts";
import { readTrace } from "../docs/pages/requirements.ts";
import { limitOf } from "../document/limits.ts";
import { readBundle } from "../document/read-bundle.ts";
import { readPages } from "./pages.ts";
import { entriesOf, resultLine, search, similar } from "./search.ts";
import { type AddTool, offsetField, partOf } from "./tool.ts";

async function readReference() {
  const [document, pages, trace] = await Promise.all([readBundle(), readPages(), readTrace()]);
  return { document, pages, trace, entries: entriesOf(document, pages) };
}
type Reference = Awaited<ReturnType<typeof readReference>>;

/** Adds the tools that read the document, the reference and the guides. */
export function addReferenceTools(add: AddTool): void {
  let reading: Promise<Reference> | undefined;
  const reference = (): Promise<Reference> => {
    reading ??= readReference();
    return reading;
  };
  add(
    "search",
    "Search the reference of the email API: operations, requirements, errors, limits, and guides for those who write clients or servers. Each result starts with an id for the tool show.",
    {
      query: z.string().max(200).describe("a few words, such as: display name in from"),
      offset: offsetField,
    },
    async ({ query, offset = 0 }) => {
      const { entries } = await reference();
      const found = search(entries, query);
      const shown = found.slice(offset, offset + 8).map((entry) => resultLine(entry, query));
      if (found.length === 0) throw usageError(`nothing is found for "${query}"`, "Use other words.");
      if (shown.length === 0) throw usageError(`there are only ${found.length} results`, "Leave offset out.");
      const end = offset + shown.length;
      return `${shown.join("\n")}\n[${end} of ${found.length}${end < found.length ? `. More: offset ${end}` : ""}]`;
    },
  );
  add(
    "show",
    "Show an operation (sendEmail, POST /api/v1/emails) with its requirements, a requirement (SEND-9), an error (send_rejected), a limit, a schema (SendRequest), the settings of test (settings.hooks), or what search has found.",
    { id: z.string().max(200), offset: offsetField },
    async ({ id, offset }) => partOf(textOf(await reference(), id.trim()), offset),
  );
}

/** @throws UserError if nothing has this id */
function textOf({ document, pages, trace, entries }: Reference, id: string): string {
  const isIt = (name: string | null): boolean => name?.toLowerCase() === id.toLowerCase();
  const [operation] = operationsOf(id);
  if (operation !== undefined) {
    const own = trace.filter((row) => row.operations.includes(operation) && row.kind !== "client");
    const list = own.flatMap(({ id, text, checks }) => (checks.length > 0 ? [`- ${id} ${text}`] : []));
    return `${pages.get(operationPath(operation))}\n## Requirements that the suite verifies\n\n${list.join("\n")}\n`;
  }
  const limits = Object.entries(document["x-limits"]);
  const schemas = Object.entries({ settings: settingsSchema, ...document.components.schemas });
  const { properties, $defs } = settingsSchema;
  const rows = [
    ...trace,
    ...document["x-unspecified"],
    ...Object.values(errors),
    ...limits.map(([name, row]) => ({ id: name, value: limitOf(document, name, row), ...row })),
    ...schemas.map(([name, schema]) => ({ id: name, schema })),
    ...Object.entries(properties).map(([name, schema]) => ({
      id: `settings.${name}`,
      schema,
      ...(JSON.stringify(schema).includes("#/$defs/") && { $defs }),
    })),
  ];
  const own = rows.filter(
    (row) => isIt(row.id) || ("type" in row && [row.type, String(row.status)].some(isIt)),
  );
  if (own.length > 0) return JSON.stringify(own, null, 1);
  const page = pages.get(id.replace(/^\//, "").replace(/(\.md|\/)$/, ""));
  const text = page ?? entries.find((entry) => isIt(entry.id))?.text;
  if (text !== undefined) return text;
  const names = [...rows, ...entries].flatMap((row) => ("type" in row ? row.type : row.id) ?? []);
  const close = similar([...Object.keys(operations), ...names], id);
  const meant = close.length === 0 ? "" : ` Did you mean ${close.join(" or ")}?`;
  throw usageError(`there is nothing with the id "${id}"`, `Find ids with the tool search.${meant}`);
}
