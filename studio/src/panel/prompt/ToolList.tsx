import { AskWhy } from "../../ask/AskWhy";
import type { ToolView } from "../../api/types";
import { useTitles } from "../../data/titles";
import { Icon } from "../../ui/Icon";
import { Pill } from "../../ui/Pill";
import { Block } from "../state/Block";
import { t } from "../../i18n/t";

/** Every tool of the flow: offered to the model, or the reason why not. */
export function ToolList({ tools }: { tools: readonly ToolView[] }) {
  const offered = tools.filter((tool) => tool.is_offered).length;
  return (
    <Block title={t("Tools")} about={tools.length ? t("{offered} of {n} offered to the model", { offered, n: tools.length }) : undefined}>
      {tools.length === 0 ? (
        <p className="muted">{t("This flow has no tools.")}</p>
      ) : (
        <ul className="tools">
          {tools.map((tool) => (
            <ToolRow key={tool.name} tool={tool} />
          ))}
        </ul>
      )}
    </Block>
  );
}

function ToolRow({ tool }: { tool: ToolView }) {
  const titles = useTitles();
  return (
    <li>
      <Icon name={tool.is_offered ? "held" : "not_reached"} />
      <AskWhy subject={`tool ${tool.name}`}>
        <b>{titles.other(tool.name)}</b>
      </AskWhy>
      <span className={tool.is_offered ? "soft" : "muted"}>
        <b className={tool.is_offered ? "ok" : "soft"}>{tool.is_offered ? t("offered") : t("not offered")}</b> {tool.is_offered ? tool.about : tool.reason}
        {tool.used > 0 && t(" (used {used} {x})", { used: tool.used, x: tool.used === 1 ? t("time") : t("times") })} {tool.is_effect && <Pill>{t("changes the world")}</Pill>}
      </span>
    </li>
  );
}
