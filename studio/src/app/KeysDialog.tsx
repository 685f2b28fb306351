import { setSettings, useSettings } from "../data/settings";
import { Dialog } from "./Dialog";
import { KEYS } from "./keys";
import { t } from "../i18n/t";

/** The keys of the studio. */
export function KeysDialog() {
  const { hasSingleKeys } = useSettings();
  return (
    <Dialog title={t("Keyboard")}>
      <dl className="keys">
        {KEYS.map(([what, keys]) => (
          <div key={what}>
            <dt>{what}</dt>
            <dd>
              {keys.split(" ").map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
      <label className="check">
        <input type="checkbox" checked={hasSingleKeys} onChange={(event) => setSettings({ hasSingleKeys: event.target.checked })} />
        {t("Keys of one letter work outside of text fields")}
      </label>
    </Dialog>
  );
}
