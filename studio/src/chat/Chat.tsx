import "./chat.css";

/** The transcript with its decisions, and the field to write in. */
export function Chat({ id }: { id: string }) {
  return <p className="sr">{id}</p>;
}
