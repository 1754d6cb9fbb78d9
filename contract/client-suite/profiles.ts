/** The profiles of clients: those of servers without the mock and the model. */
export const profilesOfClients = ["core", "email", "newsletter", "full"] as const;
export type ClientProfile = (typeof profilesOfClients)[number];
