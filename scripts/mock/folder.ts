/** How the name of the temporary folder begins in which a mock has its copy of the document, and nothing else. */
export const folderPrefix = "email-api-contract-mock-";
