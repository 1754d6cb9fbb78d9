/** The statuses of a server that lacks an operation. */
export const absent: readonly number[] = [404, 405, 501];

/** What to ask if a server does not respond as one of this API. */
export const baseUrlQuestion = (baseUrl: string): string =>
  `is ${baseUrl} the base URL of the API, without /api/v1?`;
