import type { GuardCode } from "../../api/types";
import { annotateCode, type CodeLine, type Hint } from "./annotate";
import type { TokenKind } from "./tokenize";
import "./code.css";
import { inWords } from "../../data/names";
import { t } from "../../i18n/t";

const CLASSES: Record<TokenKind, string> = { plain: "", keyword: "kw", string: "st", comment: "cm", number: "nu" };
const LINE_CLASSES = { "": "l", returned: "l ret", raised: "l bad" };

/** A Python guard as it was called: its source, and beside the lines what they read, returned and raised. */
export function CodeBlock({ code, transition }: { code: GuardCode; transition: string }) {
  const found = annotateCode(code);
  const place = code.file ? `${code.file.split("/").at(-1)}:${code.line ?? 1}` : "";
  return (
    <div className="codebox">
      {code.has_source === false ? (
        <NoSource code={code} />
      ) : (
        <div className="code" tabIndex={0} role="region" aria-label={t("Source of {name} for {transition}{x}", { name: code.name, transition: inWords(transition), x: place ? `, ${place}` : "" })}>
          {found.lines.map((line) => (
            <Line key={line.number} line={line} />
          ))}
        </div>
      )}
      {found.error && (
        <p className="diag">
          <span className="sr">{t("Exception:")}{" "}</span>
          {found.error}
        </p>
      )}
      <Aside code={code} unplaced={found.unplaced} returned={found.returned} />
    </div>
  );
}

function Line({ line }: { line: CodeLine }) {
  const indent = /^ */.exec(line.tokens[0]?.text ?? "")?.[0].length ?? 0;
  const [first, ...others] = line.tokens;
  const tokens = first ? [{ ...first, text: first.text.slice(indent) }, ...others] : [];
  return (
    <>
      <div className={LINE_CLASSES[line.kind]}>
        <span>{line.number}</span>
        <span className="x">
          <span className="s" style={{ paddingLeft: `${indent + 2}ch`, textIndent: "-2ch" }}>
            {tokens.map((token, at) =>
              token.kind === "plain" ? (
                token.text
              ) : (
                <span key={at} className={CLASSES[token.kind]}>
                  {token.text}
                </span>
              ),
            )}
          </span>
          {line.hints.length > 0 && (
            <span className="hs">
              {line.hints.map((hint) => (
                <HintTag key={hint.text} hint={hint} />
              ))}
            </span>
          )}
        </span>
      </div>
      {line.error && (
        <div className="diag">
          <span className="sr">{t("Exception:")}{" "}</span>
          {line.error}
        </div>
      )}
    </>
  );
}

function HintTag({ hint }: { hint: Hint }) {
  return <span className={hint.kind === "missing" ? "h m" : "h"}>{hint.text}</span>;
}

function NoSource({ code }: { code: GuardCode }) {
  return (
    <div className="code nosource">
      <p className="muted">{t("The source of this guard is not available.")}</p>
      <pre tabIndex={0}>{code.source}</pre>
    </div>
  );
}

/** What has no line: values read through other names, and a result that several lines can have returned. */
function Aside({ code, unplaced, returned }: { code: GuardCode; unplaced: Hint[]; returned: Hint | null }) {
  const call = code.call ?? "called";
  if (call === "not_called") return <p className="muted">{t("This guard was not called.")}</p>;
  if (call === "forgotten") return <p className="muted">{t("Retention erased what this guard read and returned.")}</p>;
  if (!unplaced.length && !returned) return null;
  return (
    <p className="reads">
      {unplaced.length > 0 && <span className="muted">{t("read")}</span>}
      {unplaced.map((hint) => (
        <HintTag key={hint.text} hint={hint} />
      ))}
      {returned && <HintTag hint={returned} />}
    </p>
  );
}
