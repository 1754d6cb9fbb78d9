import type { Verdict } from "../../../scripts/diff/policy.ts";
import { listOf, type Node, nodeOf, type Path, textOf } from "../../../scripts/document/values.ts";
import { type Change, type EditMaker, editAt, pick, without } from "./edit.ts";
import { operationPlaces } from "./places.ts";

type Action = [title: string, verdict: Verdict, change: Change];

/** What may be done to an operation. */
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
      const answer = nodeOf(nodeOf(node.responses)[key]);
      const changed = "headers" in answer ? change(answer) : undefined;
      return changed && { ...node, responses: { ...nodeOf(node.responses), [key]: changed } };
    };
  const withParameter =
    (required: boolean): Change =>
    (node) => ({
      ...node,
      parameters: [...listOf(node.parameters), { name, in: "query", required, schema: { type: "string" } }],
    });
  return [
    ["deprecate", "allowed", (node) => ({ ...node, deprecated: true })],
    ["reword the summary", "editorial", (node) => ({ ...node, summary: `About ${name}.` })],
    ["change the id", "breaking", (node) => ({ ...node, operationId: `${textOf(node.operationId)}Too` })],
    ["add an optional parameter", "allowed", withParameter(false)],
    ["add a required parameter", "breaking", withParameter(true)],
    [
      "ask for one ability more",
      "breaking",
      (node) => ({ ...node, security: withAbility(node.security, name) }),
    ],
    [
      "fail with a status less",
      "breaking",
      (node) => ({ ...node, responses: without(nodeOf(node.responses), status(node, true) ?? "") }),
    ],
    [
      "fail with a status more",
      "allowed",
      (node) => ({ ...node, responses: { ...nodeOf(node.responses), "451": { description: name } } }),
    ],
    [
      "answer with a header more",
      "allowed",
      inSuccess((answer) => ({
        ...answer,
        headers: { ...nodeOf(answer.headers), [`X-${name}`]: { schema: { type: "string" } } },
      })),
    ],
    [
      "answer with a header less",
      "breaking",
      inSuccess((answer) => {
        const gone = pick(Object.keys(nodeOf(answer.headers)), number) ?? "";
        return { ...answer, headers: without(nodeOf(answer.headers), gone) };
      }),
    ],
  ];
}

const withAbility = (security: unknown, name: string): unknown =>
  listOf(security).map((way) => ({ bearerAuth: [...listOf(nodeOf(way).bearerAuth), name] }));

/** What may be done to the rows of a table, which stands in a node of its own name. */
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
  const isOpen = table === "x-unspecified";
  return [
    [`reword a row of ${table}`, "editorial", (node) => reworded(node, isOpen ? "text" : "resolution")],
    [`add a row to ${table}`, isOpen ? "editorial" : "allowed", added],
    [`remove a row of ${table}`, isOpen ? "allowed" : "breaking", removed],
  ];
}

/** Limits whose numbers are judged by their names are not among those that are moved. */
const plainLimits = (document: Node): string[] =>
  Object.entries(nodeOf(document["x-limits"]))
    .filter(([, row]) => typeof nodeOf(row).value === "number")
    .map(([key]) => key)
    .filter((key) => !["deliveryConfirmation", "idempotencyWindow", "batchMessagesMinimum"].includes(key));

/** What may be done to the addresses, to a limit, and to the promises of a topic. */
const addressActions = (name: string, number: number): Action[] => [
  ["remove an address", "breaking", (paths) => without(paths, pick(Object.keys(paths), number) ?? "")],
  ["add an address", "allowed", (paths) => ({ ...paths, [`/api/v1/${name}`]: paths["/api/v1/me"] })],
];
const limitActions = (_: string, number: number): Action[] => [
  ["raise the number", "allowed", (row) => ({ ...row, value: Number(row.value) + number + 1 })],
  ["lower the number", "breaking", (row) => ({ ...row, value: Number(row.value) - number - 1 })],
];
const promiseActions =
  (topic: string) =>
  (name: string): Action[] => [
    ["remove a promise", "breaking", (all) => ({ ...all, [topic]: listOf(all[topic]).slice(1) })],
    [
      "add a promise",
      "allowed",
      (all) => ({
        ...all,
        [topic]: [...listOf(all[topic]), { id: `X-${name}`, text: name, operations: [] }],
      }),
    ],
  ];

/** Every edit of what is no schema. */
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
    ...makers(["paths"], addressActions),
    ...plainLimits(document).flatMap((key) => makers(["x-limits", key], limitActions)),
    ...Object.keys(nodeOf(document["x-requirements"])).flatMap((topic) =>
      makers(["x-requirements"], promiseActions(topic)),
    ),
  ];
}
