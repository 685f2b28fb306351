import { announcement } from "../data/announce";
import { useStore } from "../data/store";

/** The place where screen readers hear what changed: the position, and what an action did. */
export function Announcer() {
  const { text, count } = useStore(announcement, (value) => value);
  return (
    <div className="sr" role="status" aria-live="polite">
      <span key={count}>{text}</span>
    </div>
  );
}
