import { useState } from "react";
import { announce } from "../data/announce";
import { Button } from "./Button";
import { t } from "../i18n/t";

/** Copies a text, or data as JSON, and says so. While it `isOff`, there is nothing to copy. */
export function CopyButton({ label, text, isOff = false }: { label: string; text: () => unknown; isOff?: boolean }) {
  const [isDone, setDone] = useState(false);
  const copy = async () => {
    await copyText(text());
    setDone(true);
    setTimeout(() => setDone(false), 1500);
  };
  return <Button look="quiet" icon={isDone ? "check" : "copy"} label={label} onClick={() => void (isOff || copy())} aria-disabled={isOff} />;
}

/** Put a text, or data as JSON, on the clipboard. */
export async function copyText(data: unknown): Promise<void> {
  const text = typeof data === "string" ? data : JSON.stringify(data, null, 2);
  try {
    await navigator.clipboard.writeText(text);
    announce(t("Copied"));
  } catch {
    announce(t("The browser does not allow copying here"));
  }
}
