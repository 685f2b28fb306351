import type { SpendingView } from "../api/types";
import { AskWhy } from "../ask/AskWhy";
import { usePosition } from "../data/position";
import { countText } from "../panel/format";
import { budgetText, moneyText, tokensText } from "./words";
import { t, tx } from "../i18n/t";

/** How many bars are shown: each is wide enough to be pressed, on a phone, too. */
const MOST = 12;

type TurnSpending = SpendingView["turns"][number];

const tokensOf = ({ tokens_in, tokens_out }: Pick<TurnSpending, "tokens_in" | "tokens_out">): number => tokens_in + tokens_out;

/** What all turns together spent: `$0.42, 12.3 k tokens`. */
export function spentWords({ money, currency, tokens_in, tokens_out, calls }: SpendingView): string {
  const tokens = tokens_in + tokens_out;
  const parts = [money === null ? "" : moneyText(money, currency), tokens ? t("{tokens} tokens", { tokens: tokensText(tokens) }) : ""].filter(Boolean);
  return parts.join(", ") || countText(calls, "call");
}

/** How much of each budget is used in its present period, and what then comes. */
function Budgets({ spending }: { spending: SpendingView }) {
  if (!spending.budgets.length) return null;
  return (
    <ul className="budgets">
      {spending.budgets.map((one) => {
        const isSpent = one.left <= 0 || one.is_reached || one.name === spending.asked;
        return (
          <li key={one.name} data-budget={one.name}>
            <span>
              <AskWhy subject={`limit ${one.measure}`}>{one.text}</AskWhy>
            </span>
            <span className={isSpent ? "unk" : "muted"}>{budgetText(one, spending.asked)}</span>
            <span className="b" aria-hidden="true">
              <i style={{ width: `${Math.min(100, one.allowed > 0 ? (100 * one.spent) / one.allowed : 100)}%` }} />
            </span>
          </li>
        );
      })}
    </ul>
  );
}

/** What each of the last turns spent: money where prices are known, else tokens, else calls. */
export function Spending({ spending }: { spending: SpendingView }) {
  const position = usePosition();
  const turns = spending.turns.slice(-MOST);
  if (!turns.length) return <Budgets spending={spending} />;
  const hasMoney = spending.money !== null;
  const hasTokens = tokensOf(spending) > 0;
  const valueOf = (one: TurnSpending): number => (hasMoney ? (one.money ?? 0) : hasTokens ? tokensOf(one) : one.calls);
  const textOf = (value: number): string => (hasMoney ? moneyText(value, spending.currency) : hasTokens ? tokensText(value) : String(value));
  const most = turns.reduce((best, one) => (valueOf(one) > valueOf(best) ? one : best), turns[0]!);
  const top = Math.max(valueOf(most), Number.MIN_VALUE);
  const unit = hasMoney ? "" : hasTokens ? t(" tokens") : t(" calls");
  return (
    <div className="pad">
      <Budgets spending={spending} />
      <div className="spend" role="group" aria-label={hasMoney ? t("Money by turn") : hasTokens ? t("Tokens by turn") : t("Calls by turn")}>
        {turns.map((one) => (
          <button key={one.turn} type="button" className={one.turn === most.turn ? "most" : undefined} aria-current={one.turn === position.turn || undefined} onClick={() => position.go(one.turn)}>
            <span>{textOf(valueOf(one))}</span>
            <span className="sr">{tx("{unit}, turn", { unit })}{" "}</span>
            <i style={{ height: `${Math.round((30 * valueOf(one)) / top)}px` }} />
            <small>{one.turn}</small>
          </button>
        ))}
      </div>
      {turns.length > 1 && (
        <p className="soft">
          {tx("Turn {turn} spent most: {calls}, {tokens_in} tokens in, {tokens_out} out.", { turn: most.turn, calls: countText(most.calls, "call"), tokens_in: tokensText(most.tokens_in), tokens_out: tokensText(most.tokens_out) })}{" "}<AskWhy subject="the model" name={t("The calls of turn {turn}", { turn: most.turn })} turn={most.turn} />
        </p>
      )}
      {!hasMoney && hasTokens && <p className="soft">{t("The price of the model is not known.")}</p>}
    </div>
  );
}
