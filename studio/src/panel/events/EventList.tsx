import { useEffect, useLayoutEffect, useRef, useState, type KeyboardEvent } from "react";
import type { EventRow } from "../../api/types";
import { clockText, countText } from "../format";
import { kindText } from "./kinds";
import type { ListRow } from "./rows";
import { eventLine } from "../../i18n/texts";
import { loadAround } from "./store";
import { scrollToRow, visibleRows } from "./window";
import { subjectWords } from "../../ask/subjects";
import { t, tx } from "../../i18n/t";

/** The height of a row, and of one that is touched. */
const [ROW, TOUCHED_ROW] = [24, 44];
const rowHeight = (): number => (matchMedia("(max-width:760px)").matches ? TOUCHED_ROW : ROW);

type Props = {
  count: number;
  rowAt: (index: number) => ListRow | undefined;
  indexOf: (seq: number) => number;
  bySeq: ReadonlyMap<number, EventRow>;
  current: number | null;
  onSelect: (event: EventRow) => void;
  onAsk: (event: EventRow) => void;
};

/** A long list that draws only the rows in view, and loads them when they come into view. */
export function EventList({ count, rowAt, indexOf, bySeq, current, onSelect, onAsk }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const [view, setView] = useState({ top: 0, height: 400 });
  const measure = () => {
    if (box.current) setView({ top: box.current.scrollTop, height: box.current.clientHeight });
  };
  useLayoutEffect(() => {
    measure();
    if (!box.current || typeof ResizeObserver === "undefined") return;
    const observer = new ResizeObserver(measure);
    observer.observe(box.current);
    return () => observer.disconnect();
  }, []);
  const isShown = view.height > 0;
  const height = rowHeight();
  const target = current === null ? -1 : indexOf(current);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element || target < 0 || !isShown) return;
    const top = scrollToRow(target, element.scrollTop, element.clientHeight, height);
    if (top !== null) element.scrollTop = top;
  }, [target, isShown, view.height, height]);
  const { from, to } = visibleRows(view.top, view.height, height, count);
  const rows = Array.from({ length: to - from }, (_, offset) => ({ index: from + offset, row: rowAt(from + offset) }));
  const missing = rows.find(({ row }) => row?.kind === "event" && !bySeq.has(row.seq))?.row;
  const missingSeq = missing?.kind === "event" ? missing.seq : 0;
  useEffect(() => {
    if (missingSeq) void loadAround(missingSeq);
  }, [missingSeq, bySeq]);
  const onKeyDown = (event: KeyboardEvent) => {
    const here = current === null ? undefined : bySeq.get(current);
    if (event.key === "Enter" && here) onAsk(here);
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 20, PageUp: -20 }[event.key];
    if (!step) return;
    event.preventDefault();
    const next = nextEvent(rowAt, target, step, count);
    const found = next === null ? undefined : bySeq.get(next);
    if (found) onSelect(found);
  };
  return (
    <div className="evs" ref={box} onScroll={measure} onKeyDown={onKeyDown} tabIndex={0} role="listbox" aria-label={t("Events; Enter asks why")} aria-activedescendant={target >= from && target < to ? `event-${current}` : undefined}>
      <div className="evspace" style={{ height: count * height }} role="presentation">
        {rows.map(({ index, row }) => row && <Row key={index} style={{ top: index * height, height }} row={row} bySeq={bySeq} current={current} onSelect={onSelect} onAsk={onAsk} />)}
      </div>
    </div>
  );
}

/** Returns the next event in a direction; headings of turns are skipped. */
function nextEvent(rowAt: Props["rowAt"], from: number, step: number, count: number): number | null {
  const direction = Math.sign(step);
  let at = Math.min(count - 1, Math.max(0, from + step));
  for (; at >= 0 && at < count; at += direction) {
    const row = rowAt(at);
    if (row?.kind === "event") return row.seq;
  }
  return null;
}

type RowProps = { style: { top: number; height: number }; row: ListRow; bySeq: Props["bySeq"]; current: number | null; onSelect: Props["onSelect"]; onAsk: Props["onAsk"] };

function Row({ style, row, bySeq, current, onSelect, onAsk }: RowProps) {
  if (row.kind === "turn") {
    return (
      <div className="evt" style={style} role="presentation">
        {tx("turn {turn},", { turn: row.turn })}{" "}{countText(row.count, "event")}
        {row.isUndone && t(", undone")}
      </div>
    );
  }
  const event = bySeq.get(row.seq);
  const isCurrent = row.seq === current;
  return (
    <div id={`event-${row.seq}`} className={event?.is_erased ? "ev erased" : "ev"} style={style} role="option" aria-selected={isCurrent} onClick={() => event && onSelect(event)}>
      <span className="q">{row.seq}</span>
      <span className="tm">{event ? clockText(event.at_ms) : ""}</span>
      <span className="ty">{event ? kindText(event.kind) : "…"}</span>
      <span className="sm">{event ? (event.is_erased ? t("erased") : eventLine(event)) : ""}</span>
      {event && (
        <span
          className="evask"
          aria-hidden="true"
          title={t("Why “{subject}”?", { subject: subjectWords(event.subject) })}
          onClick={(click) => {
            click.stopPropagation();
            onAsk(event);
          }}
        >
          {t("why?")}
        </span>
      )}
    </div>
  );
}
