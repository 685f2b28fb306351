import { useName, useTwinMark } from "../data/names";

/** Ids up to this length are shown as they are. */
const LONGEST = 28;
/** How many characters of a longer id stay visible at its start and at its end. */
const START = 13;
const END = 8;

/**
 * What a conversation is called: the name that the server gives it, else its id. Where others of the list are called
 * the same, the end of its id stands behind it. Of a long id, as visitors have, the middle is hidden: it is in the
 * title, and copied.
 */
export function ConversationName({ id, name = "" }: { id: string; name?: string }) {
  const known = useName(id);
  const shown = name || known;
  const mark = useTwinMark(id, shown);
  if (shown !== id) {
    return (
      <span className="convname" title={shown}>
        {shown}
        {mark && <small> {mark}</small>}
      </span>
    );
  }
  if (id.length <= LONGEST) return <>{id}</>;
  return (
    <span className="longid" title={id}>
      {id.slice(0, START)}
      <span>{id.slice(START, -END)}</span>
      {id.slice(-END)}
    </span>
  );
}
