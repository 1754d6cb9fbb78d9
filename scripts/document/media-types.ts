import { operationsOf } from "./operations.ts";
import { follow } from "./references.ts";
import { listedResponses } from "./responses.ts";
import { entriesOf, type Node, oncePerDocument, type Path, textOf } from "./values.ts";

/** A request or response body in one media type. */
export interface PlacedMediaType {
  path: Path;
  type: string;
  media: Node;
  /** Its owner in messages: `the request of sendEmail`, `the response NotFound`. */
  name: string;
  direction: "request" | "response";
}

const contentOf = (owner: Omit<PlacedMediaType, "type" | "media">, content: unknown): PlacedMediaType[] =>
  entriesOf(content).map(([type, media]) => ({
    ...owner,
    path: [...owner.path, "content", type],
    type,
    media,
  }));

const requests = (document: Node): PlacedMediaType[] =>
  operationsOf(document).flatMap(({ location: path, id: name, operation }) => {
    const body = follow(document, [...path, "requestBody"], operation.requestBody);
    const owner = { path: body.path, name: `the request of ${name}`, direction: "request" } as const;
    return contentOf(owner, body.value.content);
  });

/** Every body of the document, once, with the path of its definition. */
export const mediaTypes = oncePerDocument((document): PlacedMediaType[] => {
  const returned = listedResponses(document).flatMap(({ path, name, response }) =>
    contentOf({ path, name, direction: "response" }, response.content),
  );
  const all = [...requests(document), ...returned];
  return [...new Map(all.map((media) => [media.path.join("\n"), media])).values()];
});

/** The named examples of a body, with the paths of their definitions. */
export const examplesOf = (document: Node, path: Path, media: Node) =>
  entriesOf(media.examples).map(([name, value]) => {
    const located = follow(document, [...path, "examples", name], value);
    return { name, path: located.path, example: located.value };
  });

/** The `error.type` of an example body; empty if it is not an error. */
export const errorTypeOf = (example: Node): string =>
  textOf(entriesOf(example.value).find(([key]) => key === "error")?.[1].type);
