// The column beside the source: problems, waiting conversations, coverage, transitions.

import type { EdgeHistory, FlowPage } from "../api/types";
import { Link } from "../app/Link";
import { useList } from "../data/list";
import { conversationRoute } from "../data/route";
import { addressOf, allNodes } from "../graph/level";
import { countsOf } from "../graph/show";
import { edgeName } from "../graph/words";
import { OFTEN } from "../graph/standing";
import { countText } from "../panel/format";
import { useTitles } from "../data/titles";
import { ConversationName } from "../ui/ConversationName";
import { OUTCOME_WORD, type Outcome } from "../ui/OutcomeMark";
import { Icon } from "../ui/Icon";
import { seenOf, transitionsOf } from "./coverage";
import { fileName } from "../source/SourceLink";
import { t, tx } from "../i18n/t";

const NAMES = 3;
const BLOCKS = 8;
const UNSEEN = 3;

/** The problems of the document; each goes to its line. */
export function Problems({ page, onLine, onCode }: { page: FlowPage; onLine: (file: string, line: number) => void; onCode: (code: string) => void }) {
  const errors = page.diagnostics.filter((one) => one.severity === "error").length;
  return (
    <div className="blk">
      <h2>
        {t("Problems")}{" "}<small>{page.diagnostics.length ? `${countText(errors, "error")}, ${countText(page.diagnostics.length - errors, "warning")}` : t("none")}</small>
      </h2>
      {page.diagnostics.map((one) => (
        <div key={`${one.line}:${one.column} ${one.code} ${one.message}`} className={`diagcard ${one.severity}`}>
          <Icon name="error" />
          <button type="button" className="msg" onClick={() => one.line > 0 && onLine(one.file || page.flow.file, one.line)}>
            {one.message}
          </button>
          <code className="muted">
            {!one.file || one.file === page.flow.file ? "" : `${fileName(one.file)}:`}
            {one.line}:{one.column}
          </code>
          <p>
            {one.hint && `${one.hint} `}
            <button type="button" className="codelink" onClick={() => onCode(one.code)}>
              {one.code}
            </button>
          </p>
        </div>
      ))}
    </div>
  );
}

/** Of a flow with more nodes only those are listed in which a conversation is. */
const MOST_EMPTY = 12;

/** Where the open conversations of the flow are. */
export function Parked({ page }: { page: FlowPage }) {
  const { byId } = useList();
  const titles = useTitles();
  const own = Object.values(byId).filter((one) => one.flow === page.flow.name && one.status !== "ended");
  const nodes = allNodes(page).map(addressOf);
  const isCounted = page.source !== null && page.source !== undefined;
  const count = (name: string) => (isCounted ? (page.parked[name] ?? 0) : own.filter((one) => one.node === name).length);
  const total = nodes.reduce((sum, node) => sum + count(node), 0);
  const shown = nodes.length > MOST_EMPTY ? nodes.filter((node) => count(node) > 0) : nodes;
  return (
    <div className="blk">
      <h2>
        {t("Where conversations are")}{" "}<small>{countText(total, "open conversation")}</small>
      </h2>
      {shown.map((node) => {
        const waiting = count(node);
        const names = own.filter((one) => one.node === node).slice(0, Math.min(NAMES, waiting));
        return (
          <div key={node} className="pbar">
            <span title={node}>{titles.node(node)}</span>
            <span className="b" aria-hidden="true">
              {Array.from({ length: Math.min(BLOCKS, waiting) }, (_, place) => (
                <i key={place} />
              ))}
            </span>
            <span className={waiting ? "soft" : "muted"}>
              {waiting === 0 && t("none")}
              {names.map((one, place) => (
                <span key={one.id}>
                  {place > 0 && ", "}
                  <Link to={conversationRoute(one.id)}><ConversationName id={one.id} /></Link>
                </span>
              ))}
              {waiting > names.length && (names.length ? t(" and {waiting} more", { waiting: waiting - names.length }) : waiting)}
            </span>
          </div>
        );
      })}
      {shown.length < nodes.length && (
        <p className="muted">
          {shown.length ? t("None in the other") : t("None in any of its")} {tx("{length} nodes.", { length: nodes.length - shown.length })}
        </p>
      )}
    </div>
  );
}

/** Which nodes and transitions stored conversations have seen. */
export function Coverage({ page }: { page: FlowPage }) {
  const seen = seenOf(page);
  if (!seen.conversations) {
    return (
      <div className="blk">
        <h2>{t("Coverage")}</h2>
        <p className="muted">{t("No conversation of this flow is stored yet. Begin one: its nodes and transitions are counted here.")}</p>
      </div>
    );
  }
  const shown = seen.unseen.slice(0, UNSEEN);
  const more = seen.unseen.slice(UNSEEN);
  return (
    <div className="blk">
      <h2>
        {t("Coverage")}{" "}<small>{tx("by {conversations}", { conversations: countText(seen.conversations, "stored conversation") })}</small>
      </h2>
      <dl className="stats">
        <Stat value={`${seen.percent} %`} name="all" />
        <Stat value={seen.nodes.join("/")} name="nodes" />
        <Stat value={seen.transitions.join("/")} name="transitions" />
      </dl>
      {shown.length > 0 && (
        <details className="unseen">
          <summary>
            {tx("Not seen: {x}", { x: shown.join(", ") })}
            {more.length > 0 && <span className="rest">{tx(", and {length} more", { length: more.length })}</span>}
          </summary>
          {more.join(", ")}
        </details>
      )}
    </div>
  );
}

function Stat({ value, name }: { value: string; name: string }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
  );
}

/** How often each transition was judged and taken, over all conversations. */
export function Transitions({ page }: { page: FlowPage }) {
  return (
    <div className="blk">
      <h2>
        {t("Transitions")}{" "}<small>{t("over all conversations")}</small>
      </h2>
      <table className="st">
        <thead>
          <tr>
            <th scope="col">{t("transition")}</th>
            <th scope="col">{t("judged")}</th>
            <th scope="col">{t("taken")}</th>
            <th scope="col">{t("otherwise")}</th>
          </tr>
        </thead>
        <tbody>
          {transitionsOf(page).map((edge) => {
            const { judged, taken } = countsOf(edge, page.coverage);
            const history = page.coverage?.edges.find((one) => one.transition === edge.transition && (!edge.node || one.node === edge.node));
            return (
              <tr key={edge.id}>
                <td>{edgeName(edge)}</td>
                <td className="v">{judged}</td>
                <td className="v">{taken}</td>
                <td>
                  {judged === 0 ? t("never judged") : otherwise(history)}
                  {judged >= OFTEN && taken === 0 && <b className="unk">{" "}{t("never true")}</b>}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </div>
  );
}

/** The outcomes but taken, the most frequent first: `6 not known, 8 false`. */
export function otherwise(history: EdgeHistory | undefined): string {
  return Object.entries(history?.outcomes ?? {})
    .filter(([outcome, count]) => outcome !== "taken" && count > 0)
    .sort(([, a], [, b]) => b - a)
    .map(([outcome, count]) => `${count} ${OUTCOME_WORD[outcome as Outcome] ?? outcome}`)
    .join(", ");
}
