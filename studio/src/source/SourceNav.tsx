// The documents of a flow, and what stands in the open one.

import type { FlowPage, SourceFile } from "../api/types";
import { addressOf } from "../graph/level";
import { Icon } from "../ui/Icon";
import { useDrafts } from "./drafts";
import { problemsOf } from "./marks";
import { showPlace } from "./place";
import type { PlacedPart } from "./places";
import { t, tx } from "../i18n/t";

const SYMBOLS = 60;

type Props = { page: FlowPage; files: readonly SourceFile[]; open: SourceFile | null; parts: readonly PlacedPart[]; isFollowed: boolean; isEditable: boolean };

/** The list of documents with the count of their problems; below it the nodes of the open one. */
export function SourceNav({ page, files, open, parts, isFollowed, isEditable }: Props) {
  const nodes = parts.filter((part) => part.node && part.file === open?.file);
  return (
    <nav className="sfiles" aria-label={t("Files of this flow")}>
      <h2>{t("Files of this flow")}</h2>
      <ul className="sfl">
        {files.map((file) => (
          <li key={file.file}>
            <button type="button" aria-current={file === open ? "page" : undefined} onClick={() => showPlace(page.flow.name, file.file, 0)}>
              <span className="nm">{file.name}</span>
              <FileState page={page} file={file} />
            </button>
          </li>
        ))}
      </ul>
      {nodes.length > 0 && (
        <div className="sinfile">
          <h2>{t("In this file")}</h2>
          <ul>
            {nodes.slice(0, SYMBOLS).map((part) => (
              <li key={part.selection.id}>
                <button type="button" onClick={() => showPlace(page.flow.name, part.file, part.line)} title={part.node!.about || undefined}>
                  <code className="nm">{addressOf(part.node!)}</code>
                  <span className="muted">{part.line}</span>
                </button>
              </li>
            ))}
          </ul>
          {nodes.length > SYMBOLS && <p className="muted">{tx("{length} more", { length: nodes.length - SYMBOLS })}</p>}
        </div>
      )}
      <div className="slegend">
        <h2>{t("Beside the lines")}</h2>
        <p>
          <b className="ok" aria-hidden="true">✓</b>{" "}{t("happened in a conversation")}
          <br />
          <b className="unk" aria-hidden="true">○</b>{" "}{t("never taken or visited")}
        </p>
        {isEditable ? <h2>{t("Editing")}</h2> : <h2>{t("Read only")}</h2>}
        <p>{waysToChange(isFollowed, isEditable)}</p>
      </div>
    </nav>
  );
}

function waysToChange(isFollowed: boolean, isEditable: boolean): string {
  if (isEditable) return t("“Edit” changes a file here. When it is saved, the flow is loaded again; conversations that have begun keep their version.");
  if (isFollowed) return t("Change the files in an editor. When one is saved, the flow is loaded again.");
  return t("This is what runs. Change the files in an editor, and start the server again, or serve with --reload.");
}

function FileState({ page, file }: { page: FlowPage; file: SourceFile }) {
  const isDraft = useDrafts().some((one) => one.flow === page.flow.name && one.file === file.file);
  if (isDraft) return <span className="unk">{t("not saved")}</span>;
  if (!file.is_current) return <span className="unk">{t("changed on disk")}</span>;
  const problems = problemsOf(page, file.file);
  const errors = problems.filter((one) => one.severity === "error").length;
  if (errors) return <span className="no">{errors}<span className="sr"> {errors === 1 ? t("error") : t("errors")}</span></span>;
  if (problems.length) return <span className="unk">{problems.length}<span className="sr"> {problems.length === 1 ? t("warning") : t("warnings")}</span></span>;
  if (!file.saved_ms) return <span className="no">{t("missing")}</span>;
  return <span className="ok"><Icon name="held" /><span className="sr">{t("no problems")}</span></span>;
}
