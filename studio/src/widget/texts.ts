/** The fixed texts of the widget, by language. */

export interface Texts {
  open: string;
  close: string;
  title: string;
  placeholder: string;
  send: string;
  writing: string;
  you: string;
  ended: string;
  /** The server no longer has the conversation, or it is another reader's. */
  gone: string;
  again: string;
  offline: string;
  /** The chat could not be opened. */
  unreachable: string;
  failed: string;
  /** The message is longer than the server takes. */
  tooLong: string;
  /** The login of the page has expired. */
  loggedOut: string;
  /** The server does not open the chat. */
  unopened: string;
  retry: string;
  /** Open the chat again. */
  reopen: string;
  erased: string;
  /** What the buttons are for that begin an inner conversation. */
  begin: string;
  person: (name: string) => string;
  /** Why the buttons of a question are not taken now. */
  blocked: (name: string) => string;
  /** A person has given the conversation back. */
  left: (name: string) => string;
}

const en: Texts = {
  open: "Open the chat",
  close: "Close the chat",
  title: "Chat",
  placeholder: "Write a message",
  send: "Send",
  writing: "The assistant is writing",
  you: "You",
  ended: "This conversation has ended.",
  gone: "This conversation is no longer available.",
  again: "Start again",
  offline: "No connection. Your message is kept; it is sent when the connection is back.",
  unreachable: "No connection. The chat opens when the connection is back.",
  failed: "Your message was not sent.",
  tooLong: "This message is too long. Please shorten it and send it again.",
  loggedOut: "Please log in again.",
  unopened: "This chat cannot be opened.",
  retry: "Send again",
  reopen: "Try again",
  erased: "This message was erased.",
  begin: "You can begin",
  person: (name) => `${name} joined the conversation.`,
  blocked: (name) => `${name} answers you now. Please write instead of pressing a button.`,
  left: (name) => `${name} left the conversation.`,
};

const de: Texts = {
  open: "Chat öffnen",
  close: "Chat schließen",
  title: "Chat",
  placeholder: "Nachricht schreiben",
  send: "Senden",
  writing: "Der Assistent schreibt",
  you: "Sie",
  ended: "Dieses Gespräch ist beendet.",
  gone: "Dieses Gespräch ist nicht mehr verfügbar.",
  again: "Neu beginnen",
  offline: "Keine Verbindung. Ihre Nachricht bleibt erhalten und wird gesendet, sobald die Verbindung wieder da ist.",
  unreachable: "Keine Verbindung. Der Chat öffnet sich, sobald die Verbindung wieder da ist.",
  failed: "Ihre Nachricht wurde nicht gesendet.",
  tooLong: "Diese Nachricht ist zu lang. Bitte kürzen Sie sie und senden Sie sie noch einmal.",
  loggedOut: "Bitte melden Sie sich wieder an.",
  unopened: "Dieser Chat lässt sich nicht öffnen.",
  retry: "Noch einmal senden",
  reopen: "Noch einmal versuchen",
  erased: "Diese Nachricht wurde gelöscht.",
  begin: "Sie können beginnen",
  person: (name) => `${name} ist dem Gespräch beigetreten.`,
  blocked: (name) => `${name} antwortet Ihnen jetzt. Bitte schreiben Sie, statt einen Knopf zu drücken.`,
  left: (name) => `${name} hat das Gespräch verlassen.`,
};

export function textsOf(language: string): Texts {
  return language.toLowerCase().startsWith("de") ? de : en;
}
