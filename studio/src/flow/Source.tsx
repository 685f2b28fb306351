// The source of a flow with its problems at their lines.

import { useEffect, useMemo } from "react";
import type { DiagnosticView, FlowPage } from "../api/types";
import { isHere, sourceLines, type Part, type SourceLine } from "./source";

/** The lines of the document. An address that ends in `#L43` opens at that line. */
export function Source({ page, onCode }: { page: FlowPage; onCode: (code: string) => void }) {
  const lines = useMemo(() => sourceLines(page), [page]);
  useEffect(() => {
    const line = Number(/^#L(\d+)$/.exec(location.hash)?.[1] ?? 0);
    const problem = page.diagnostics.find((one) => isHere(page, one))?.line ?? 0;
    if (line) showLine(line);
    else if (problem) scrollTo(problem);
  }, [page.flow.name]);
  return (
    <div className="code src" tabIndex={0} role="region" aria-label={`Lines of ${page.flow.file?.split("/").at(-1) || page.flow.name}`}>
      {lines.map((line) => (
        <Line key={line.number} line={line} onCode={onCode} />
      ))}
    </div>
  );
}

/** Scroll to a line and mark it. */
export function showLine(line: number): void {
  const element = document.getElementById(`L${line}`);
  for (const marked of document.querySelectorAll(".src .l.at")) marked.classList.remove("at");
  element?.classList.add("at");
  scrollTo(line);
}

/** Bring a line to the middle of the source; where the page itself scrolls, of the page. */
function scrollTo(line: number): void {
  const element = document.getElementById(`L${line}`);
  const frame = element?.closest<HTMLElement>(".src");
  if (!element || !frame) return;
  if (frame.scrollHeight > frame.clientHeight) frame.scrollTop = element.offsetTop - frame.clientHeight / 2;
  else element.scrollIntoView({ block: "center" });
}

const CLASSES: Record<Part["kind"], string> = { key: "ykey", comment: "cm", plain: "", wrong: "er" };

function Line({ line, onCode }: { line: SourceLine; onCode: (code: string) => void }) {
  const isError = line.problems.some((problem) => problem.severity === "error");
  return (
    <>
      <div id={`L${line.number}`} className={`l ${isError ? "err" : line.problems.length ? "warn" : ""}`}>
        <span>{line.number}</span>
        <span className={`cv ${line.covered === false ? "un" : ""}`} title={line.about || undefined}>
          {line.covered !== null && (
            <>
              <span aria-hidden="true">{line.covered ? "✓" : "✗"}</span>
              <span className="sr">{line.about}</span>
            </>
          )}
        </span>
        <span className="s">
          {line.parts.map((part, place) => (
            <span key={place} className={CLASSES[part.kind] || undefined}>
              {part.text}
            </span>
          ))}
        </span>
        <span className="nb">
          {line.waiting > 0 && (
            <>
              <b>{line.waiting}</b> here
            </>
          )}
        </span>
      </div>
      {line.problems.map((problem) => (
        <Problem key={`${problem.code} ${problem.column}`} problem={problem} onCode={onCode} />
      ))}
    </>
  );
}

function Problem({ problem, onCode }: { problem: DiagnosticView; onCode: (code: string) => void }) {
  return (
    <div className={`diag ${problem.severity}`}>
      <button type="button" className="codelink" onClick={() => onCode(problem.code)}>
        {problem.code}
      </button>{" "}
      {problem.severity === "warning" && "warning: "}
      {problem.message}
      {problem.hint && `; ${problem.hint}`}
    </div>
  );
}
