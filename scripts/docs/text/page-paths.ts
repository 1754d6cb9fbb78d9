/** `sendEmail` as it is written in a path: `send-email`. */
export const kebab = (name: string): string => name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, "-").toLowerCase();

/** A name of a type in words: `SendRequest` is `Send request`. */
export const inWords = (name: string): string => {
  const words = kebab(name).replaceAll("-", " ");
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
};

export const operationPath = (operationId: string): string => `operations/${kebab(operationId)}`;

/** A schema with a title has its own page; all other schemas share one. */
export const schemaPath = (name: string, schema: { title?: string }): string =>
  schema.title === undefined ? `objects/values#${kebab(name)}` : `objects/${kebab(name)}`;

/** The anchor is the one that the Markdown renderer derives from the heading of the error. */
export const errorPath = ({ id }: { id: string }): string => `errors#${id.replaceAll(".", "-")}`;

export const requirementPath = (id: string): string => `requirements#${id}`;
export const unspecifiedPath = (id: string): string => `unspecified#${id}`;
