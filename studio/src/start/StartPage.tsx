import "./start.css";

/** The flows of this server, and ways to open a conversation. */
export function StartPage() {
  return <h1 className="sr">turnwise</h1>;
}
