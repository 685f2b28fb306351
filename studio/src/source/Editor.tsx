// The editor as a component. Loaded when a source is first shown, so that the first page does not carry it.

import { useEffect, useRef } from "react";
import type { SourceFile } from "../api/types";
import { useAction } from "../data/actions";
import type { EditPort } from "./editable";
import { createEditor, type Editor as Shown, type Listeners } from "./editor";
import type { SourceMarks } from "./marks";
import type { SourcePlace } from "./place";
import { t } from "../i18n/t";

type Props = { file: SourceFile; marks: SourceMarks; place: SourcePlace; at: number; listeners: Listeners; port: EditPort | null };

/** One document with its marks. `at` is the line of what is selected elsewhere; with a `port` it is edited. */
export default function Editor({ file, marks, place, at, listeners, port }: Props) {
  const host = useRef<HTMLDivElement>(null);
  const editor = useRef<Shown | null>(null);
  const latest = useRef(listeners);
  latest.current = listeners;
  useEffect(() => {
    const now = createEditor(host.current!, {
      onLine: (line) => latest.current.onLine(line),
      onCode: (code) => latest.current.onCode(code),
      onName: (name) => latest.current.onName(name),
      onAlong: (line) => latest.current.onAlong(line),
      about: (line) => latest.current.about(line),
    });
    editor.current = now;
    return () => {
      now.destroy();
      editor.current = null;
    };
  }, []);
  useEffect(() => {
    editor.current?.open(file, port);
    editor.current?.mark(marks);
  }, [file, marks, port]);
  useEffect(() => {
    if (place.line) editor.current?.show(place.line, place.hasFocus);
  }, [place, file.file]);
  useEffect(() => {
    if (at) editor.current?.point(at);
  }, [at, file.file]);
  useAction("find-in-source", () => editor.current?.find());
  useAction("undo-in-source", () => editor.current?.undo());
  return <div className="seditor" ref={host} role="region" aria-label={t("Lines of {name}", { name: file.name })} />;
}
