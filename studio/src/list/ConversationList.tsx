import "./list.css";

/** The conversations by flow, with node and status. */
export function ConversationList() {
  return null;
}
