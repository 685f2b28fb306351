import { useState } from "react";
import type { PromptPart, PromptView } from "../../api/types";
import { Empty } from "../../ui/Empty";
import { countText } from "../format";
import { comparePrompts, type PartDiff } from "./parts";
import { t, tx } from "../../i18n/t";

const LABELS: Record<PromptPart["part"], string> = {
  persona: t("persona"),
  prompt: t("node prompt"),
  entry: t("on entry"),
  instructions: t("instructions"),
  transcript: t("messages"),
  missing: t("still missing"),
  notes: t("notes"),
  question: t("question"),
  wording: t("to be worded"),
  must_call: t("must call"),
};

/** The parts of a prompt as they were sent; with `isDiff` the difference to the prompt before it. */
export function PromptParts({ prompt, isDiff }: { prompt: PromptView; isDiff: boolean }) {
  if (prompt.is_erased) {
    return (
      <Empty title={t("The text of this prompt was erased")} level={3}>
        {t("Retention erased the messages that it was made from. Its hash is")}{" "}<code>{prompt.hash}</code>.
      </Empty>
    );
  }
  const parts = comparePrompts(prompt.parts, isDiff ? prompt.previous_parts : null);
  return (
    <div className="prompt">
      {parts.map((part, at) => (
        <div key={at}>
          <div className="pl">{LABELS[part.part]}</div>
          <div className="pt">{part.messages ? <Messages diff={part} isDiff={isDiff} /> : <Lines diff={part} />}</div>
        </div>
      ))}
    </div>
  );
}

function Lines({ diff }: { diff: PartDiff }) {
  return diff.lines.map((line, at) => {
    if (line.kind === "removed") return <del key={at}>{line.text}</del>;
    if (line.kind === "added") return <ins key={at}>{line.text}</ins>;
    return <span key={at}>{at === diff.lines.length - 1 ? line.text : `${line.text}\n`}</span>;
  });
}

/** The transcript window. In a difference, the messages that were sent before fold into one line. */
function Messages({ diff, isDiff }: { diff: PartDiff; isDiff: boolean }) {
  const [isWhole, setWhole] = useState(!isDiff);
  const before = diff.lines.filter((line) => line.kind === "same").length;
  const lines = isWhole ? diff.lines : diff.lines.filter((line) => line.kind !== "same");
  return (
    <>
      {isDiff && before > 0 && (
        <button type="button" className="fold" aria-expanded={isWhole} onClick={() => setWhole(!isWhole)}>
          {tx("{before} as before", { before: countText(before, "message") })}
        </button>
      )}
      {lines.map((line, at) => {
        if (line.kind === "removed") return <del key={at}>{line.text}</del>;
        if (line.kind === "added") return <ins key={at}>{line.text}</ins>;
        return (
          <span key={at} className="msg">
            {line.text}
          </span>
        );
      })}
    </>
  );
}
