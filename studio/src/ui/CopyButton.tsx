import { useState } from "react";
import { announce } from "../data/announce";
import { Button } from "./Button";

/** Copies a text, or data as JSON, and says so. */
export function CopyButton({ label, text }: { label: string; text: () => unknown }) {
  const [isDone, setDone] = useState(false);
  const copy = async () => {
    await copyText(text());
    setDone(true);
    setTimeout(() => setDone(false), 1500);
  };
  return <Button look="quiet" icon={isDone ? "check" : "copy"} label={label} onClick={() => void copy()} />;
}

/** Put a text, or data as JSON, on the clipboard. */
export async function copyText(data: unknown): Promise<void> {
  const text = typeof data === "string" ? data : JSON.stringify(data, null, 2);
  try {
    await navigator.clipboard.writeText(text);
    announce("Copied");
  } catch {
    announce("The browser does not allow copying here");
  }
}
