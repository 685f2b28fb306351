import { AskWhy } from "../../ask/AskWhy";
import type { ToolView } from "../../api/types";
import { inWords } from "../../data/names";
import { useSettings } from "../../data/settings";
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

/** Why a tool is not offered, by the code of the reason. */
const WHY_NOT: Readonly<Record<string, (tool: ToolView) => string>> = {
  no_model: () => t("no model speaks in this step"),
  out_of_sequence: ({ policy }) => t("the sequence of this step expects {tools} now", { tools: policy.split(", ").map(inWords).join(", ") }),
  denied: () => t("this step denies it"),
  not_read: () => t("this step reads no such record"),
  not_written: () => t("this step writes no such record"),
  no_tools: () => t("this step has no tools"),
  not_allowed: () => t("this step does not allow it"),
};

function ToolRow({ tool }: { tool: ToolView }) {
  const titles = useTitles();
  const { isTechnical } = useSettings();
  return (
    <li>
      <Icon name={tool.is_offered ? "held" : "not_reached"} />
      <AskWhy subject={`tool ${tool.name}`}>
        <b>{titles.other(tool.name)}</b>
      </AskWhy>
      <span className={tool.is_offered ? "soft" : "muted"}>
        <b className={tool.is_offered ? "ok" : "soft"}>{tool.is_offered ? t("offered") : t("not offered")}</b> {tool.is_offered ? tool.about : isTechnical ? tool.reason : (WHY_NOT[tool.code]?.(tool) ?? tool.reason)}
        {tool.used > 0 && t(" (used {used} {x})", { used: tool.used, x: tool.used === 1 ? t("time") : t("times") })} {tool.is_effect && <Pill>{t("changes the world")}</Pill>}
      </span>
    </li>
  );
}
