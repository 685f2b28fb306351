import "./person.css";

/** A person takes over, answers, sets fields and gives back; replaces the body of the debug panel. */
export function PersonPanel() {
  return null;
}
