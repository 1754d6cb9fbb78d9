/** JSON Pointers into the bundle for defects. */

const v1 = "/paths/~1api~1v1~1";

/** The operations, by operationId. */
export const at = {
  sendEmail: `${v1}emails/post`,
  sendBatch: `${v1}emails~1batch/post`,
  getEmail: `${v1}emails~1{id}/get`,
  rescheduleEmail: `${v1}emails~1{id}/patch`,
  cancelEmail: `${v1}emails~1{id}/delete`,
  listNewsletterLists: `${v1}newsletter~1lists/get`,
  listCustomFields: `${v1}newsletter~1fields/get`,
  upsertContact: `${v1}newsletter~1contacts/post`,
  getContact: `${v1}newsletter~1contacts~1{email}/get`,
  unsubscribeContact: `${v1}newsletter~1contacts~1{email}~1unsubscribe/post`,
  getMe: `${v1}me/get`,
};

export const schema = (name: string): string => `/components/schemas/${name}`;
export const field = (name: string, property: string): string => `${schema(name)}/properties/${property}`;
export const response = (name: string): string => `/components/responses/${name}`;
export const header = (name: string): string => `/components/headers/${name}`;
export const parameter = (name: string): string => `/components/parameters/${name}`;
export const example = (name: string): string => `/components/examples/${name}`;

/** The JSON content of a request, a response or an operation's response. */
export const json = (owner: string): string => `${owner}/content/application~1json`;
