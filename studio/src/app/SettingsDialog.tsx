import { useMe } from "../data/hooks";
import { setLayout } from "../data/layout";
import { setSettings, useSettings, type Theme } from "../data/settings";
import { LANGUAGE_NAMES, LANGUAGES } from "../i18n/language";
import { Button } from "../ui/Button";
import { Dialog } from "./Dialog";
import { t } from "../i18n/t";

const THEMES: readonly [Theme, string][] = [
  ["system", t("As the system")],
  ["light", t("Light")],
  ["dark", t("Dark")],
];

/** Show the page in another language, from now on in this browser. What is being written is kept. */
function speak(language: string): void {
  setSettings({ language });
  location.reload();
}

/** What a person chooses for this browser. */
export function SettingsDialog() {
  const me = useMe();
  const { theme, isTechnical, hasSound, hasBadge, hasSingleKeys, operator, language } = useSettings();
  return (
    <Dialog title={t("Settings")} className="narrow">
      <div className="fields">
        <fieldset>
          <legend>{t("Theme")}</legend>
          {THEMES.map(([value, label]) => (
            <label key={value} className="check">
              <input type="radio" name="theme" checked={theme === value} onChange={() => setSettings({ theme: value })} />
              {label}
            </label>
          ))}
        </fieldset>
        <fieldset>
          <legend>{t("Language of the page")}</legend>
          <label className="check">
            <input type="radio" name="language" checked={language === ""} onChange={() => speak("")} />
            {t("As the browser")}
          </label>
          {LANGUAGES.map((code) => (
            <label key={code} className="check" lang={code}>
              <input type="radio" name="language" checked={language === code} onChange={() => speak(code)} />
              {LANGUAGE_NAMES[code]}
            </label>
          ))}
        </fieldset>
        <fieldset>
          <legend>{t("When a conversation waits for a person")}</legend>
          <label className="check">
            <input type="checkbox" checked={hasSound} onChange={(event) => setSettings({ hasSound: event.target.checked })} />
            {t("Play a sound")}
          </label>
          <label className="check">
            <input type="checkbox" checked={hasBadge} onChange={(event) => setSettings({ hasBadge: event.target.checked })} />
            {t("Show the number in the title of the tab")}
          </label>
        </fieldset>
        <label>
          <span>{t("Your name as an operator")}</span>
          <input type="text" data-later value={operator} maxLength={80} onChange={(event) => setSettings({ operator: event.target.value })} />
        </label>
        <label className="check">
          <input type="checkbox" checked={isTechnical} onChange={(event) => setSettings({ isTechnical: event.target.checked })} />
          {t("Technical: show ids, positions and the words of the engine")}
        </label>
        <label className="check">
          <input type="checkbox" checked={hasSingleKeys} onChange={(event) => setSettings({ hasSingleKeys: event.target.checked })} />
          {t("Keys of one letter work outside of text fields")}
        </label>
        {me.data && !me.data.is_local && (
          <div className="acts">
            <Button onClick={() => setLayout({ dialog: "key" })}>{t("Change the API key")}</Button>
          </div>
        )}
      </div>
    </Dialog>
  );
}
