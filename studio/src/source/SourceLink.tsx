// A link to a line of a document: in a conversation it opens the source beside it, else the page of the flow.

import type { MouseEvent } from "react";
import { setLayout } from "../data/layout";
import { href, moveTo, useRoute } from "../data/route";
import { Code } from "../ui/Code";
import { placeHash, showPlace } from "./place";

interface Props {
  readonly flow: string;
  /** The path of the document. */
  readonly file: string;
  readonly line: number;
  /** Whether the document is the flow's own, whose name the address leaves out. */
  readonly isOwn: boolean;
  readonly className?: string;
}

export const fileName = (file: string): string => file.split("/").at(-1) ?? file;

/** Show a line in the source view of the open conversation. */
export function openInConversation(flow: string, file: string, line: number): void {
  showPlace(flow, file, line, true);
  moveTo({ view: "source" }, { isStep: true });
  setLayout({ pane: "source" });
}

/** `claims.dy:20`. A click with a modifier opens the page of the flow, as everywhere. */
export function SourceLink({ flow, file, line, isOwn, className }: Props) {
  const isOpen = useRoute().page === "conversation";
  const open = (event: MouseEvent) => {
    if (!isOpen || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
    event.preventDefault();
    openInConversation(flow, file, line);
  };
  return (
    <a className={className} href={`${href({ page: "flow", flow })}${placeHash(line, isOwn ? "" : file)}`} onClick={open}>
      <Code>
        {fileName(file)}:{line}
      </Code>
    </a>
  );
}
