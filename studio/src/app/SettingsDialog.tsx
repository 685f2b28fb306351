import { useMe } from "../data/hooks";
import { setLayout } from "../data/layout";
import { setSettings, useSettings, type Theme } from "../data/settings";
import { Button } from "../ui/Button";
import { Dialog } from "./Dialog";

const THEMES: readonly [Theme, string][] = [
  ["system", "As the system"],
  ["light", "Light"],
  ["dark", "Dark"],
];

/** What a person chooses for this browser. */
export function SettingsDialog() {
  const me = useMe();
  const { theme, isTechnical, hasSound, hasBadge, hasSingleKeys, operator } = useSettings();
  return (
    <Dialog title="Settings" className="narrow">
      <div className="fields">
        <fieldset>
          <legend>Theme</legend>
          {THEMES.map(([value, label]) => (
            <label key={value} className="check">
              <input type="radio" name="theme" checked={theme === value} onChange={() => setSettings({ theme: value })} />
              {label}
            </label>
          ))}
        </fieldset>
        <fieldset>
          <legend>When a conversation waits for a person</legend>
          <label className="check">
            <input type="checkbox" checked={hasSound} onChange={(event) => setSettings({ hasSound: event.target.checked })} />
            Play a sound
          </label>
          <label className="check">
            <input type="checkbox" checked={hasBadge} onChange={(event) => setSettings({ hasBadge: event.target.checked })} />
            Show the number in the title of the tab
          </label>
        </fieldset>
        <label>
          <span>Your name as an operator</span>
          <input type="text" data-later value={operator} maxLength={80} onChange={(event) => setSettings({ operator: event.target.value })} />
        </label>
        <label className="check">
          <input type="checkbox" checked={isTechnical} onChange={(event) => setSettings({ isTechnical: event.target.checked })} />
          Technical: show ids, positions and the words of the engine
        </label>
        <label className="check">
          <input type="checkbox" checked={hasSingleKeys} onChange={(event) => setSettings({ hasSingleKeys: event.target.checked })} />
          Keys of one letter work outside of text fields
        </label>
        {me.data && !me.data.is_local && (
          <div className="acts">
            <Button onClick={() => setLayout({ dialog: "key" })}>Change the API key</Button>
          </div>
        )}
      </div>
    </Dialog>
  );
}
