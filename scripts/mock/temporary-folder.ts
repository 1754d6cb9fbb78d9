/** The prefix of the temporary folder that holds a mock's copy of the document and nothing else. */
export const folderPrefix = "email-api-contract-mock-";
