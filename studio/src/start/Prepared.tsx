import type { ConversationSummary, FlowSummary } from "../api/types";
import { Link } from "../app/Link";
import { useRouteTo } from "../data/hooks";
import { useList } from "../data/list";
import { flowTitle } from "../data/names";
import { Icon } from "../ui/Icon";
import type { IconName } from "../ui/icons";
import { ConversationName } from "../ui/ConversationName";
import { cardText } from "./cardText";
import { headlineOf } from "../i18n/texts";
import { t } from "../i18n/t";

/** The prepared conversations that are worth a look, each with what it shows. It opens where it decided something. */
export function Prepared({ flows }: { flows: readonly FlowSummary[] }) {
  const { byId } = useList();
  const routeTo = useRouteTo();
  const rows = flows.flatMap((flow) => flow.openings.filter((one) => one.shows).map((opening) => ({ flow, opening, row: byId[opening.conversation], isFirst: flow.look?.conversation === opening.conversation })));
  const shown = rows.filter((one): one is typeof one & { row: ConversationSummary } => one.row !== undefined).sort((a, b) => Number(b.isFirst) - Number(a.isFirst));
  if (!shown.length) return null;
  return (
    <section aria-labelledby="prepared">
      <div className="h">
        <h2 id="prepared">{t("Conversations to look into")}</h2>
        <span>{t("each opens where it decided something")}</span>
      </div>
      <div className="prep">
        {shown.map(({ flow, opening, row }) => (
          <Link key={row.id} to={routeTo(row)}>
            <span className="n">
              <ConversationName id={row.id} name={row.name} />
              <small>{cardText(flow, flowTitle(row)).text}</small>
            </span>
            <Icon name={iconOf(row)} />
            <span className="t">
              <b>{row.seq === opening.seq ? cardText(flow, opening.shows ?? "").text : headlineOf(row)}</b>
              <small>{row.seq === opening.seq ? cardText(flow, opening.about ?? "").text : t("It went on since it was prepared.")}</small>
            </span>
            <span className="g">{row.turn === 1 ? t("1 turn") : t("{turn} turns", { turn: row.turn })}</span>
          </Link>
        ))}
      </div>
    </section>
  );
}

function iconOf(row: ConversationSummary): IconName {
  if (row.person) return "person";
  if (row.status === "ended") return "taken";
  return row.node.includes("/") ? "in" : "chat";
}
