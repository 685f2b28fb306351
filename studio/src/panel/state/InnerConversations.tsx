import { AskWhy } from "../../ask/AskWhy";
import type { FrameInfo } from "../../api/types";
import { useFrames } from "../../data/frames";
import { nameOf, turnsWords } from "../../scopes/words";
import { Block } from "./Block";
import { numberText } from "../../i18n/numbers";
import { t } from "../../i18n/t";
import { outcomeInWords } from "../../data/names";
import { scopeStatus } from "../../data/statusWords";

const standing = ({ status, outcome }: FrameInfo): string => (status === "closed" ? outcomeInWords(outcome) : scopeStatus(status));

/** The scopes that were opened until a turn: how each ended, what it used, and what its summary saved. */
export function InnerConversations({ turn }: { turn: number }) {
  const scopes = useFrames().filter((frame) => frame.id > 0 && frame.opened_turn <= turn);
  if (!scopes.length) return null;
  return (
    <Block title={t("Inner conversations")} about={t("tokens saved in the requests that came after")}>
      <table className="st" aria-label={t("Inner conversations")}>
        <thead>
          <tr>
            <th scope="col">{t("scope")}</th>
            <th scope="col">{t("outcome")}</th>
            <th scope="col">{t("when")}</th>
            <th scope="col">{t("tokens")}</th>
            <th scope="col">{t("saved")}</th>
          </tr>
        </thead>
        <tbody>
          {scopes.map((frame) => (
            <tr key={frame.id} className={frame.status === "undone" ? "off" : ""}>
              <td>
                {frame.scope ? <AskWhy subject={`node ${frame.scope}`}>{frame.scope}</AskWhy> : nameOf(frame)}
              </td>
              <td className="v">{standing(frame)}</td>
              <td>{turnsWords(frame, turn)}</td>
              <td>{numberText(frame.tokens)}</td>
              <td>
                {frame.tokens_saved !== null && frame.later_requests > 0 && numberText(frame.tokens_saved)}
                {frame.is_estimate && Boolean(frame.tokens_saved) && <small>{" "}{t("estimated")}</small>}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </Block>
  );
}
