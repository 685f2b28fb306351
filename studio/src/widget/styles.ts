/**
 * The style sheet of the widget. It is constructed by script and adopted by the shadow root, so a page's
 * `style-src` needs no exception. Pages set the custom properties that begin with `--turnwise-`.
 */

const CSS = `
:host {
  --accent: var(--turnwise-accent, #181b19);
  --on-accent: var(--turnwise-on-accent, #ffffff);
  --panel: var(--turnwise-panel, #ffffff);
  --ink: var(--turnwise-ink, #181b19);
  --muted: var(--turnwise-muted, #5a605c);
  --bubble: var(--turnwise-bubble, #eceee9);
  --line: var(--turnwise-line, #838983);
  --error: var(--turnwise-error, #a63526);
  --radius: var(--turnwise-radius, 14px);
  all: initial;
  position: fixed;
  inset-block-end: 20px;
  inset-inline-end: 20px;
  z-index: var(--turnwise-layer, 2147483000);
  font: 400 15px/1.5 var(--turnwise-font, system-ui, sans-serif);
  color: var(--ink);
}
:host([data-side="start"]) { inset-inline: 20px auto; }
:host([data-theme="dark"]) {
  --accent: var(--turnwise-accent, #e8ece9);
  --on-accent: var(--turnwise-on-accent, #161918);
  --panel: var(--turnwise-panel, #161918);
  --ink: var(--turnwise-ink, #e8ece9);
  --muted: var(--turnwise-muted, #aab2ad);
  --bubble: var(--turnwise-bubble, #242927);
  --line: var(--turnwise-line, #6c756f);
  --error: var(--turnwise-error, #f0907f);
}
* { box-sizing: border-box; }
button, textarea { font: inherit; color: inherit; }
button { cursor: pointer; }
:focus-visible { outline: 2px solid var(--ink); outline-offset: 2px; }
.launcher {
  display: grid; place-items: center; inline-size: 56px; block-size: 56px; margin-inline-start: auto;
  border: 0; border-radius: 50%; background: var(--accent); color: var(--on-accent);
  box-shadow: 0 4px 16px rgb(0 0 0 / 0.25);
}
.launcher svg { inline-size: 26px; block-size: 26px; }
.panel {
  display: flex; flex-direction: column; inline-size: min(380px, calc(100vw - 24px));
  block-size: min(600px, calc(100vh - 40px)); overflow: hidden; border-radius: var(--radius);
  background: var(--panel); box-shadow: 0 8px 32px rgb(0 0 0 / 0.28); border: 1px solid var(--line);
}
[hidden] { display: none !important; }
header { display: flex; align-items: center; gap: 8px; padding: 10px 8px 10px 16px; border-bottom: 1px solid var(--bubble); }
h2 { flex: 1; margin: 0; font-size: 16px; font-weight: 600; }
.icon { display: grid; place-items: center; inline-size: 44px; block-size: 44px; border: 0; border-radius: 8px; background: none; }
.icon:hover { background: var(--bubble); }
.icon svg { inline-size: 18px; block-size: 18px; }
.log { flex: 1; overflow-y: auto; padding: 16px; display: flex; flex-direction: column; gap: 10px; overscroll-behavior: contain; }
.message { max-inline-size: 85%; overflow-wrap: anywhere; }
.message p, .message ul, .message ol { margin: 0 0 6px; }
.message > .body > :last-child { margin-block-end: 0; }
.sum { border: 1px solid var(--line); border-radius: 10px; overflow: hidden; }
.sum > p { margin: 0; padding: 8px 12px 0; }
.sum > .ask { font-weight: 650; }
.sum dl { margin: 8px 0 0; }
.sum dl > div { display: flex; flex-wrap: wrap; justify-content: space-between; gap: 0 12px; padding: 5px 12px; border-block-start: 1px solid var(--line); }
.sum dd { margin: 0; font-weight: 600; overflow-wrap: anywhere; }
.sum dd q { font-weight: 400; opacity: .8; font-size: .9em; }
.message ul, .message ol { padding-inline-start: 20px; }
.message code { font-family: ui-monospace, monospace; font-size: 0.92em; }
.message a { color: inherit; }
.mine { align-self: flex-end; background: var(--bubble); border-radius: var(--radius); padding: 8px 14px; }
.pending { opacity: 0.7; }
textarea::placeholder { color: var(--muted); opacity: 1; }
.who { font-size: 12px; color: var(--muted); }
.erased, .system { color: var(--muted); font-style: italic; }
.writing::after { content: ""; display: inline-block; inline-size: 8px; block-size: 1em; vertical-align: text-bottom; background: currentcolor; animation: blink 1s steps(2, start) infinite; }
@keyframes blink { to { visibility: hidden; } }
.buttons { display: flex; flex-wrap: wrap; gap: 8px; }
.buttons button, .retry {
  min-block-size: 44px; padding: 6px 14px; border: 1px solid var(--line); border-radius: 22px; background: var(--panel); text-align: start;
}
.buttons button:enabled:hover, .retry:hover { background: var(--bubble); }
.buttons button:disabled { color: var(--muted); border-style: dashed; cursor: default; }
.starts { padding: 0 12px 8px; }
.starts[hidden] { display: none; }
.buttons p { flex-basis: 100%; margin: 0; color: var(--muted); font-size: 13px; }
.status { padding: 0 16px; color: var(--muted); font-size: 13px; min-block-size: 0; }
.status.error { color: var(--error); }
.status button { margin-block: 6px; }
form { display: flex; align-items: flex-end; gap: 8px; padding: 10px 12px 12px; }
textarea {
  flex: 1; resize: none; min-block-size: 44px; max-block-size: 140px; padding: 10px 12px; border: 1px solid var(--line);
  border-radius: 10px; background: var(--panel);
}
.send { flex: none; background: var(--accent); color: var(--on-accent); }
.send:hover { background: var(--accent); }
.sr { position: absolute; inline-size: 1px; block-size: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
@media (max-width: 480px) {
  :host([data-open]) { inset: 0; }
  .panel { inline-size: 100vw; block-size: 100dvh; border-radius: 0; border: 0; }
  textarea { font-size: 16px; }
}
@media (prefers-reduced-motion: reduce) { .writing::after { animation: none; } }
`;

/** Return the style sheet. */
export function styleSheet(): CSSStyleSheet {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync(CSS);
  return sheet;
}
