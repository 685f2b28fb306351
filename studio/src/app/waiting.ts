import { useEffect, useMemo, useRef } from "react";
import { useList } from "../data/list";
import { useConversationId, useQueue } from "../data/hooks";
import { useSettings } from "../data/settings";
import { inQueue } from "../person/inQueue";

/** A short tone, made here: no file is loaded for it. */
function ring(): void {
  const context = new AudioContext();
  const tone = context.createOscillator();
  const volume = context.createGain();
  tone.frequency.setValueAtTime(660, context.currentTime);
  tone.frequency.setValueAtTime(880, context.currentTime + 0.12);
  volume.gain.setValueAtTime(0.08, context.currentTime);
  volume.gain.exponentialRampToValueAtTime(0.001, context.currentTime + 0.4);
  tone.connect(volume).connect(context.destination);
  tone.start();
  tone.stop(context.currentTime + 0.42);
  tone.onended = () => void context.close();
}

/** The title of the tab, with the number of conversations that wait for a person, and a sound when one more does. */
export function useWaitingPersons(): void {
  const { byId, isLoaded } = useList();
  const queue = useQueue();
  const { hasSound, hasBadge } = useSettings();
  const id = useConversationId();
  const rows = useMemo(() => inQueue(queue.data ?? [], byId).filter((row) => !row.person?.operator), [queue.data, byId]);
  const isKnown = isLoaded && !queue.isLoading;
  const waiting = isKnown ? rows.length : 0;
  const before = useRef<Set<string> | null>(null);
  useEffect(() => {
    if (!isKnown) return;
    const known = before.current;
    before.current = new Set(rows.map((row) => row.id));
    if (known && rows.some((row) => !known.has(row.id)) && hasSound) {
      try {
        ring();
      } catch {
        // a browser without sound shows the number only
      }
    }
  }, [rows, hasSound, isKnown]);
  useEffect(() => {
    const name = id === null ? "turnwise studio" : `${id} · turnwise`;
    document.title = hasBadge && waiting > 0 ? `(${waiting}) ${name}` : name;
  }, [id, hasBadge, waiting]);
}
