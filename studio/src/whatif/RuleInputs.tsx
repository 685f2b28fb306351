import { useState } from "react";
import type { GuardProblem } from "../api/types";
import { useTitles } from "../data/titles";
import { countText } from "../panel/format";
import { Button } from "../ui/Button";
import { Icon } from "../ui/Icon";
import { setDraft, withEntry } from "./draft";
import { pointAt, type Rule } from "./rules";
import { t } from "../i18n/t";

type Props = { rules: readonly Rule[]; texts: Record<string, string>; problems: readonly GuardProblem[] };

/** The guards of the candidates, each with a text field to replace it and the problems of what was typed. */
export function RuleInputs({ rules, texts, problems }: Props) {
  const [isOpen, setOpen] = useState(false);
  if (!rules.length) return null;
  const changed = rules.filter((rule) => isReplaced(rule, texts[rule.id])).length;
  return (
    <details className="folded guards" open={changed > 0 || isOpen} onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {countText(rules.length, "guard")}
        {changed > 0 && t(", {changed} replaced", { changed })}
      </summary>
      <RuleTable rules={rules} texts={texts} problems={problems} />
    </details>
  );
}

function RuleTable({ rules, texts, problems }: Props) {
  const put = (id: string, text: string | undefined) => setDraft({ rules: withEntry(texts, id, text) });
  return (
    <table className="rules" aria-label={t("Guards to suppose")}>
      <thead>
        <tr>
          <th scope="col">{t("rule")}</th>
          <th scope="col">{t("what-if guard")}</th>
        </tr>
      </thead>
      <tbody>
        {rules.map((rule) => (
          <RuleRow key={rule.id} rule={rule} text={texts[rule.id]} problems={problems.filter((problem) => problem.transition === rule.id)} onChange={(text) => put(rule.id, text)} />
        ))}
      </tbody>
    </table>
  );
}

type RowProps = { rule: Rule; text: string | undefined; problems: readonly GuardProblem[]; onChange: (text: string | undefined) => void };

function RuleRow({ rule, text, problems, onChange }: RowProps) {
  const [isFocused, setFocused] = useState(false);
  const name = useTitles().transition(rule.id);
  const shown = text ?? rule.guard;
  const isChanged = isReplaced(rule, text);
  const isWide = isFocused || isChanged || shown.length < 60;
  const errorId = `whatif-${rule.id}-problems`;
  return (
    <tr className={isChanged ? "ed" : ""}>
      <td className="f">{name}</td>
      <td>
        <span className="withclear">
          <textarea
            aria-label={t("What-if guard of {id}", { id: name })}
            aria-describedby={problems.length ? errorId : undefined}
            aria-invalid={problems.length ? true : undefined}
            rows={isWide ? Math.max(1, Math.ceil(shown.length / 44), shown.split("\n").length) : 1}
            value={shown}
            placeholder={rule.isCode ? t("Python guard; type a rule instead") : t("no guard, always holds")}
            onFocus={() => setFocused(true)}
            onBlur={() => setFocused(false)}
            onChange={(event) => onChange(event.target.value)}
            spellCheck={false}
          />
          {isChanged && <Button look="quiet" icon="undo" label={t("Use the stored guard of {id}", { id: name })} onClick={() => onChange(undefined)} />}
        </span>
        {problems.length > 0 && (
          <div id={errorId} role="alert">
            {problems.map((problem) => (
              <GuardFault key={`${problem.line}:${problem.column} ${problem.code}`} problem={problem} text={shown} />
            ))}
          </div>
        )}
      </td>
    </tr>
  );
}

const isReplaced = (rule: Rule, text: string | undefined): boolean => text !== undefined && text.trim() !== rule.guard.trim();

/** A problem of a guard: the place with a caret, what is wrong, and what is near. */
function GuardFault({ problem, text }: { problem: GuardProblem; text: string }) {
  return (
    <div className="fault">
      <pre aria-hidden="true">{pointAt(text, problem.line, problem.column)}</pre>
      <p className="no">
        <Icon name="error" /> {problem.message}
        {problem.hint && <span className="soft">; {problem.hint}</span>}{" "}
        <code className="muted">
          {problem.code} {problem.line}:{problem.column}
        </code>
      </p>
    </div>
  );
}
