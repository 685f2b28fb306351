import type { ReactNode } from "react";
import { BottomBar } from "./BottomBar";
import { TopBar } from "./TopBar";
import "./frame.css";
import "./narrow.css";

/** A full page without list, panel and dock. */
export function Page({ children }: { children: ReactNode }) {
  return (
    <div className="app page">
      <a className="skip" href="#main">
        Skip to the content
      </a>
      <TopBar />
      <main className="centre" id="main" tabIndex={-1}>
        {children}
      </main>
      <BottomBar />
    </div>
  );
}
