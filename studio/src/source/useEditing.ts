// Editing the open document: its draft, what the server answers about it, and saving.

import { useEffect, useMemo, useRef, useState } from "react";
import { api } from "../api/calls";
import { asProblem, type Problem } from "../api/problem";
import type { FlowSource, SourceFile } from "../api/types";
import { announce } from "../data/announce";
import { invalidate, keep } from "../data/resource";
import { draftOf, draftsOf, dropDraft, keepDraft, useDrafts, type Draft } from "./drafts";
import type { EditPort } from "./editable";
import type { Fault } from "./faults";
import type { Source } from "./useSource";
import { t } from "../i18n/t";

export interface EditingNow {
  /** Whether this reader may edit here. On the phone the source is read. */
  readonly canEdit: boolean;
  readonly isEditing: boolean;
  readonly draft: Draft | null;
  /** Whether the file on disk is another one than the draft was begun with; not while it is saved. */
  readonly isOutdated: boolean;
  readonly isSaving: boolean;
  readonly problem: Problem | null;
  /** What the checker found in the text as it is now; `null` until it has answered. */
  readonly faults: readonly Fault[] | null;
  readonly port: EditPort | null;
  begin: () => void;
  end: () => void;
  save: () => Promise<void>;
  format: () => Promise<void>;
  /** Drop the draft, and show the file as it is stored. */
  discard: () => void;
  /** Keep the draft, and let it replace what is on disk by now. */
  insist: () => void;
}

const isNarrow = () => matchMedia("(max-width: 760px)").matches;
const unix = (text: string) => text.replace(/\r\n?/g, "\n");

/** What editing the open document needs. */
export function useEditing(flow: string, source: Source): EditingNow {
  const { open, isEditable } = source;
  const canEdit = isEditable && Boolean(open?.saved_ms) && !isNarrow();
  const [isOn, setOn] = useState(() => draftsOf(flow).length > 0);
  const [isSaving, setSaving] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const [faults, setFaults] = useState<readonly Fault[] | null>(null);
  const draft = useDrafts().find((one) => one.flow === flow && one.file === open?.file) ?? null;
  const isEditing = canEdit && isOn;
  const latest = useRef({ open, save: () => Promise.resolve() });
  useEffect(() => {
    setFaults(null);
    setProblem(null);
  }, [flow, open?.file, isEditing]);
  const change = (file: SourceFile, text: string) => {
    const before = draftOf(flow, file.file);
    if (text === unix(file.text) && (before?.base ?? file.sha256) === file.sha256) dropDraft(flow, file.file);
    else keepDraft({ flow, file: file.file, name: file.name, text, base: before?.base ?? file.sha256 });
  };
  const port = useMemo<EditPort | null>(() => (isEditing && open ? portOf(flow, open.file, () => latest.current.open ?? open, change, () => latest.current.save(), setFaults) : null), [flow, open?.file, isEditing]);
  const attempt = async (work: (file: SourceFile) => Promise<void>) => {
    if (!open || isSaving) return;
    setSaving(true);
    setProblem(null);
    try {
      await work(open);
    } catch (error) {
      setProblem(asProblem(error));
      invalidate(`source:${flow}`);
    } finally {
      setSaving(false);
    }
  };
  const save = () =>
    attempt(async (file) => {
      const now = draftOf(flow, file.file);
      if (!now) return announce(t("Nothing to save"));
      const saved = await api.saveSource(flow, { file: file.file, text: now.text, sha256: now.base });
      const later = draftOf(flow, file.file);
      if (later && later.text !== now.text) keepDraft({ ...later, base: saved.sha256 });
      else dropDraft(flow, file.file);
      keep<FlowSource>(`source:${flow}`, { files: source.files.map((one) => (one.file === file.file ? saved.file : one)), is_followed: source.isFollowed, is_editable: true });
      for (const key of ["source:", "flow:"]) invalidate(`${key}${flow}`);
      invalidate("flows");
      announce(saved.is_running ? t("{name} is saved; new conversations begin with it", { name: file.name }) : t("{name} is saved with errors; the version before stays", { name: file.name }));
    });
  const format = () =>
    attempt(async (file) => {
      const now = () => draftOf(flow, file.file)?.text ?? unix(file.text);
      const before = now();
      const { text } = await api.formatSource(flow, { file: file.file, text: before });
      if (now() === before) change(file, text);
      else announce(t("Not formatted: the text has changed meanwhile"));
    });
  latest.current = { open, save };
  return {
    canEdit,
    isEditing,
    draft,
    isOutdated: Boolean(draft && open && !isSaving && draft.base !== open.sha256),
    isSaving,
    problem,
    faults,
    port,
    begin: () => setOn(true),
    end: () => setOn(false),
    save,
    format,
    discard: () => {
      setProblem(null);
      if (open) dropDraft(flow, open.file);
    },
    insist: () => {
      setProblem(null);
      if (draft && open) keepDraft({ ...draft, base: open.sha256 });
    },
  };
}

/** What the editor of one document asks, with the other drafts of its flow. */
function portOf(flow: string, file: string, open: () => SourceFile, change: (file: SourceFile, text: string) => void, save: () => Promise<void>, onFaults: (faults: readonly Fault[]) => void): EditPort {
  const body = (text: string) => ({ file, text, others: draftsOf(flow).flatMap((one) => (one.file === file ? [] : [{ file: one.file, text: one.text }])) });
  return {
    get stored() {
      return open().text;
    },
    get text() {
      return draftOf(flow, file)?.text ?? open().text;
    },
    onText: (text) => change(open(), text),
    onSave: () => void save(),
    onFaults,
    onLeave: () => announce(t("Tab leaves the editor")),
    check: async (text) => (await api.checkSource(flow, body(text))).files.find((one) => one.file === file)?.problems ?? [],
    complete: (text, at) => api.completeSource(flow, { ...body(text), ...at }),
    hover: (text, at) => api.hoverSource(flow, { ...body(text), ...at }),
  };
}
