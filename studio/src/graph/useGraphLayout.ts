import { useEffect } from "react";
import type { FlowPage, GraphLevel, GraphView } from "../api/types";
import { Store, useStore } from "../data/store";
import type { Layout, Ranks } from "./layout";

/** How many versions of flows are kept. */
const LIMIT = 30;
const layouts = new Store<{ known: Record<string, Layout | "failed"> }>({ known: {} });
const running = new Set<string>();

/** The layout of a level of a version of a flow, computed once; `null` while the worker computes it. */
export function useGraphLayout(page: FlowPage, level: GraphLevel, ranks: Ranks | null = null): Layout | "failed" | null {
  const key = `${page.flow.name} ${page.flow.fingerprint} ${level.scope}`;
  const layout = useStore(layouts, ({ known }) => known[key] ?? null);
  useEffect(() => {
    if (layout !== null || running.has(key)) return;
    running.add(key);
    void inWorker(level.graph, ranks).then((found) => {
      running.delete(key);
      layouts.set(({ known }) => ({ known: Object.fromEntries([...Object.entries(known).slice(-LIMIT), [key, found]]) }));
    });
  }, [key, layout, level.graph, ranks]);
  return layout;
}

function inWorker(view: GraphView, ranks: Ranks | null): Promise<Layout | "failed"> {
  return new Promise((resolve) => {
    const worker = new Worker(new URL("./layout.worker.ts", import.meta.url), { type: "module" });
    const finish = (found: Layout | "failed") => {
      worker.terminate();
      resolve(found);
    };
    worker.onmessage = ({ data }: MessageEvent<Layout>) => finish(data);
    worker.onerror = () => finish("failed");
    worker.postMessage({ view, ranks });
  });
}
