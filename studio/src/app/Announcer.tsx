import { announcements } from "../data/announce";
import { useStore } from "../data/store";

/** The place where screen readers hear what changed: the position, and what an action did. Only what is added is said. */
export function Announcer() {
  const all = useStore(announcements, (value) => value.all);
  return (
    <div className="sr" role="status" aria-live="polite" aria-atomic="false">
      {all.map(({ text, number }) => (
        <p key={number}>{text}</p>
      ))}
    </div>
  );
}
