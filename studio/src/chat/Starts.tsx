import { useConversation } from "../data/hooks";
import { sendTurn } from "../data/sending";
import { Icon } from "../ui/Icon";
import { t } from "../i18n/t";

/** The inner conversations that the user may begin now, as buttons above the field to write in. */
export function Starts({ id }: { id: string }) {
  const starts = useConversation()?.starts ?? [];
  if (!starts.length) return null;
  return (
    <div className="starts">
      <div role="group" aria-label={t("Begin an inner conversation")}>
        <span aria-hidden="true">{t("Begin")}</span>
        {starts.map((start) => (
          <button key={start.value} type="button" className="opt start" onClick={() => void sendTurn(id, { button: start.value }, start.label)}>
            <Icon name="in" />
            {start.label}
          </button>
        ))}
      </div>
    </div>
  );
}
