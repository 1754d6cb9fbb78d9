const oneMoment = "A run shows the server at one time, in which it is compared with the document.";

/** Why requirements cannot be observed in responses, even with every fixture and hook, by id; each reason is a sentence. */
export const unobservable: Readonly<Record<string, string>> = {
  "MEMB-12":
    "The confirmation email arrives in a mailbox, which no request and no hook reads; MEMB-15 verifies that the contact can confirm.",
  "SEND-11":
    "Only the mailbox shows the HTML part; SEND-10 verifies that a message with only html is accepted.",
  "SEND-12":
    "Only the mailbox shows the text part; SEND-10 verifies that a message with only text is accepted.",
  "SEND-17": "Only the mailbox shows where replies go; ERR-10 verifies that reply_to is accepted.",
  "ATT-6": "The downloaded file arrives in a mailbox; ATT-7 verifies that a message with a link is accepted.",
  "ATT-8":
    "The response to a send with an unreachable link is unspecified, and only the mailbox shows that the file is missing.",
  "ATT-10":
    "Only the mailbox shows an inline image; ERR-10 verifies that a message with a content_id is accepted.",
  "ATT-12": "Only the mailbox shows the media type of a file; ERR-10 verifies that it is optional.",
  "EVENT-4": "It allows the service something: no response can violate it.",
  "VER-2": "It allows the service something: no response can violate it.",
  "VER-3": oneMoment,
  "VER-4": oneMoment,
  "VER-5": oneMoment,
  "VER-6": oneMoment,
  "VER-7": "It applies when the next version is published, for several months.",
};
