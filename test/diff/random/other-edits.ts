import type { Verdict } from "../../../scripts/diff/comparison.ts";
import { listOf, type Node, nodeOf, type Path, textOf } from "../../../scripts/document/values.ts";
import { type Change, type EditMaker, editAt, operationPlaces, pick, without } from "./edit.ts";

type Action = [title: string, verdict: Verdict, change: Change];

/** The edits of an operation. */
function operationActions(name: string, number: number): Action[] {
  const status = (node: Node, isError: boolean): string | undefined =>
    pick(
      Object.keys(nodeOf(node.responses)).filter((one) => /^[45]/.test(one) === isError),
      number,
    );
  const inSuccess =
    (change: Change): Change =>
    (node) => {
      const key = status(node, false) ?? "";
      const response = nodeOf(nodeOf(node.responses)[key]);
      const changed = "headers" in response ? change(response) : undefined;
      return changed && { ...node, responses: { ...nodeOf(node.responses), [key]: changed } };
    };
  const withParameter =
    (required: boolean): Change =>
    (node) => ({
      ...node,
      parameters: [...listOf(node.parameters), { name, in: "query", required, schema: { type: "string" } }],
    });
  return [
    ["deprecate", "additive", (node) => ({ ...node, deprecated: true })],
    ["reword the summary", "editorial", (node) => ({ ...node, summary: `About ${name}.` })],
    [
      "change the operationId",
      "breaking",
      (node) => ({ ...node, operationId: `${textOf(node.operationId)}Too` }),
    ],
    ["add an optional parameter", "additive", withParameter(false)],
    ["add a required parameter", "breaking", withParameter(true)],
    [
      "require another ability",
      "breaking",
      (node) => ({ ...node, security: withAbility(node.security, name) }),
    ],
    [
      "remove an error status",
      "breaking",
      (node) => ({ ...node, responses: without(nodeOf(node.responses), status(node, true) ?? "") }),
    ],
    [
      "add an error status",
      "additive",
      (node) => ({ ...node, responses: { ...nodeOf(node.responses), "451": { description: name } } }),
    ],
    [
      "add a response header",
      "additive",
      inSuccess((response) => ({
        ...response,
        headers: { ...nodeOf(response.headers), [`X-${name}`]: { schema: { type: "string" } } },
      })),
    ],
    [
      "remove a response header",
      "breaking",
      inSuccess((response) => {
        const gone = pick(Object.keys(nodeOf(response.headers)), number) ?? "";
        return { ...response, headers: without(nodeOf(response.headers), gone) };
      }),
    ],
  ];
}

const withAbility = (security: unknown, name: string): unknown =>
  listOf(security).map((way) => ({ bearerAuth: [...listOf(nodeOf(way).bearerAuth), name] }));

/** The edits of the rows of a table. */
function rowActions(table: string, name: string, number: number): Action[] {
  const rows = (node: Node): unknown[] => listOf(node[table]);
  const at = (node: Node): number => number % rows(node).length;
  const reworded = (node: Node, key: string): Node => {
    const row = { ...nodeOf(rows(node)[at(node)]), [key]: `About ${name}.` };
    return { ...node, [table]: rows(node).with(at(node), row) };
  };
  const added = (node: Node): Node => ({
    ...node,
    [table]: [...rows(node), { ...nodeOf(rows(node)[at(node)]), id: `X-${name}` }],
  });
  const removed = (node: Node): Node => ({ ...node, [table]: rows(node).toSpliced(at(node), 1) });
  const isUnspecified = table === "x-unspecified";
  return [
    [
      `reword a row of ${table}`,
      "editorial",
      (node) => reworded(node, isUnspecified ? "text" : "resolution"),
    ],
    [`add a row to ${table}`, isUnspecified ? "editorial" : "additive", added],
    [`remove a row of ${table}`, isUnspecified ? "additive" : "breaking", removed],
  ];
}

/** The limits without an exception in the policy. */
const plainLimits = (document: Node): string[] =>
  Object.entries(nodeOf(document["x-limits"]))
    .filter(([, row]) => typeof nodeOf(row).value === "number")
    .map(([key]) => key)
    .filter((key) => !["deliveryConfirmation", "idempotencyWindow", "batchMessagesMinimum"].includes(key));

/** The edits of the paths, of a limit, and of the requirements of a topic. */
const pathActions = (name: string, number: number): Action[] => [
  ["remove a path", "breaking", (paths) => without(paths, pick(Object.keys(paths), number) ?? "")],
  ["add a path", "additive", (paths) => ({ ...paths, [`/api/v1/${name}`]: paths["/api/v1/me"] })],
];
const limitActions = (_: string, number: number): Action[] => [
  ["raise the number", "additive", (row) => ({ ...row, value: Number(row.value) + number + 1 })],
  ["lower the number", "breaking", (row) => ({ ...row, value: Number(row.value) - number - 1 })],
];
const requirementActions =
  (topic: string) =>
  (name: string): Action[] => [
    ["remove a requirement", "breaking", (all) => ({ ...all, [topic]: listOf(all[topic]).slice(1) })],
    [
      "add a requirement",
      "additive",
      (all) => ({
        ...all,
        [topic]: [...listOf(all[topic]), { id: `X-${name}`, text: name, operations: [] }],
      }),
    ],
  ];

/** Every edit outside schemas. */
export function otherEdits(document: Node): EditMaker[] {
  const makers = (path: Path, actions: (name: string, number: number) => Action[]): EditMaker[] =>
    actions("any", 0).map((_, index) => (name, number) => {
      const [title, verdict, change] = actions(name, number)[index] as Action;
      return editAt(title, document, path, change, verdict);
    });
  return [
    ...operationPlaces(document).flatMap(({ path }) => makers(path, operationActions)),
    ...["x-errors", "x-unspecified"].flatMap((table) =>
      makers([], (name, number) => rowActions(table, name, number)),
    ),
    ...makers(["paths"], pathActions),
    ...plainLimits(document).flatMap((key) => makers(["x-limits", key], limitActions)),
    ...Object.keys(nodeOf(document["x-requirements"])).flatMap((topic) =>
      makers(["x-requirements"], requirementActions(topic)),
    ),
  ];
}
