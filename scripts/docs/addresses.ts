/** `sendEmail` as it stands in an address: `send-email`. */
export const kebab = (name: string): string => name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/g, "-").toLowerCase();

/** The page of an operation. */
export const operationAddress = (operationId: string): string => `operations/${kebab(operationId)}`;

/** The page on which a schema of its own name is described: the one of an object, or the one of all simple values. */
export const schemaAddress = (name: string, schema: { title?: string }): string =>
  schema.title === undefined ? `objects/values#${kebab(name)}` : `objects/${kebab(name)}`;

/** Where the catalogue describes an error, by status and type: what the heading there becomes as an anchor. */
export const errorAddress = (row: { id: string }): string => `errors#${errorAnchor(row)}`;
export const errorAnchor = ({ id }: { id: string }): string => id.replaceAll(".", "-");

export const requirementAddress = (id: string): string => `requirements#${id}`;
export const openAddress = (id: string): string => `unspecified#${id}`;
