/** Ids up to this length are shown as they are. */
const LONGEST = 28;
/** How many characters of a longer id stay visible at its start and at its end. */
const START = 13;
const END = 8;

/** The id of a conversation. Of a long one, as visitors have, the middle is hidden: it is in the title, and copied. */
export function ConversationName({ id }: { id: string }) {
  if (id.length <= LONGEST) return <>{id}</>;
  return (
    <span className="longid" title={id}>
      {id.slice(0, START)}
      <span>{id.slice(START, -END)}</span>
      {id.slice(-END)}
    </span>
  );
}
