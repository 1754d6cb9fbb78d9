import { errorTypeOf, examplesOf } from "../../../scripts/document/media-types.ts";
import { headerOf, listedResponses, type PlacedResponse } from "../../../scripts/document/responses.ts";
import { entriesOf, type Node, nodeOf } from "../../../scripts/document/values.ts";
import { type Facts, shape } from "./shape.ts";

/** The headers of a response; an asterisk marks required headers. */
export const headers = (document: Node, place: PlacedResponse): string =>
  Object.keys(nodeOf(place.response.headers))
    .map((name) => `${name}${headerOf(document, place, name)?.value.required === true ? "*" : ""}`)
    .join(" ");

const errorResponse = (document: Node, place: PlacedResponse): Record<string, string> => {
  const bodies = entriesOf(place.response.content).map(([type, media]) => {
    const examples = examplesOf(document, [...place.path, "content", type], media);
    return `${type} ${shape(media.schema)}: ${examples.map(({ name, example }) => `${name}=${errorTypeOf(example)}`).join(" ")}`;
  });
  const empty = place.response["x-empty-body"] === true ? " or no body" : "";
  return { body: bodies.join() + empty, headers: headers(document, place) };
};

/** The shared responses, all of them errors, and the gateway responses. */
export const readResponses = (document: Node): Facts => {
  const shared = listedResponses(document).filter(({ path }) => path[1] === "responses");
  const gateway = listedResponses(document).filter(({ operation }) => operation === undefined);
  return {
    ...Object.fromEntries(shared.map((place) => [String(place.path.at(-1)), errorResponse(document, place)])),
    gateway: Object.fromEntries(gateway.map(({ status, path }) => [status, String(path.at(-1))])),
    headers: Object.fromEntries(
      entriesOf(nodeOf(document.components).headers).map(([name, { schema }]) => [name, shape(schema)]),
    ),
  };
};
