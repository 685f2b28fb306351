import { useRef, useSyncExternalStore } from "react";

/** A value outside of React that components can subscribe to. */
export class Store<T extends object> {
  private readonly listeners = new Set<() => void>();

  constructor(private value: T) {}

  get = (): T => this.value;

  /** Replace some parts; listeners are called once. */
  set = (change: Partial<T> | ((now: T) => Partial<T>)): void => {
    const part = typeof change === "function" ? change(this.value) : change;
    this.value = { ...this.value, ...part };
    for (const listener of [...this.listeners]) listener();
  };

  subscribe = (listener: () => void): (() => void) => {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  };
}

/** A part of a store. The component renders again when the part is another object or value. */
export function useStore<T extends object, P>(store: Store<T>, select: (value: T) => P): P {
  const last = useRef<{ value: T; select: (value: T) => P; part: P } | null>(null);
  const read = () => {
    const value = store.get();
    if (last.current?.value === value && last.current.select === select) return last.current.part;
    const part = select(value);
    const kept = last.current && isSame(last.current.part, part) ? last.current.part : part;
    last.current = { value, select, part: kept };
    return kept;
  };
  return useSyncExternalStore(store.subscribe, read);
}

/** Shallow equality, so that a selector may return a new object or list of the same parts. */
export function isSame(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true;
  if (!a || !b || typeof a !== "object" || typeof b !== "object" || Array.isArray(a) !== Array.isArray(b)) return false;
  const left = Object.entries(a);
  return left.length === Object.keys(b).length && left.every(([key, value]) => Object.is(value, (b as Record<string, unknown>)[key]));
}
