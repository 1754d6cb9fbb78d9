const pages =
  "The calls that answer in pages are those of the account read API, whose addresses are not shown.";
const oneMoment =
  "A run sees the server at one moment; what the document describes is then held against it part by part.";

/** Promises that no caller can observe, even with every fixture and hook, and why. By id; each reason is a sentence. */
export const unobservable: Readonly<Record<string, string>> = {
  "MEMB-12":
    "The confirmation arrives in a mailbox, which no call and no hook reads; that a contact can follow it is verified under MEMB-15.",
  "SEND-11":
    "What became of html is seen in the mailbox only; that a message with html alone is taken is verified under SEND-10.",
  "SEND-12":
    "What became of text is seen in the mailbox only; that a message with text alone is taken is verified under SEND-10.",
  "SEND-17":
    "Where replies go is seen in the mailbox only; that a reply_to is taken is verified under ERR-10.",
  "ATT-6":
    "The downloaded file arrives in a mailbox; that a message with a link is taken is verified under ATT-7.",
  "ATT-8":
    "What a send with a link to a host out of reach answers is not specified, and the missing file is seen in the mailbox only.",
  "ATT-10":
    "An inline image is seen in the mailbox only; that a message with a content_id is taken is verified under ERR-10.",
  "ATT-12":
    "The media type of a file is seen in the mailbox only; that it may be left out is verified under ERR-10.",
  "EVENT-4": "It is a freedom of the service: nothing that it answers can be against it.",
  "PAGE-1": pages,
  "PAGE-2": pages,
  "PAGE-3": pages,
  "PAGE-4": pages,
  "PAGE-5": pages,
  "VER-2": "It is a freedom of the service: nothing that it answers can be against it.",
  "VER-3": oneMoment,
  "VER-4": oneMoment,
  "VER-5": oneMoment,
  "VER-6": oneMoment,
  "VER-7": "It begins when the next version is published, and lasts for months.",
};
