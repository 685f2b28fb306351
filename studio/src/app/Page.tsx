import type { ReactNode } from "react";
import { t } from "../i18n/t";
import { BottomBar } from "./BottomBar";
import { SkipLink } from "./SkipLink";
import { TopBar } from "./TopBar";
import "./frame.css";
import "./narrow.css";

/** A full page without list, panel and dock. */
export function Page({ children }: { children: ReactNode }) {
  return (
    <div className="app page">
      <SkipLink label={t("Skip to the content")} />
      <TopBar />
      <main className="centre" id="main" tabIndex={-1}>
        {children}
      </main>
      <BottomBar />
    </div>
  );
}
