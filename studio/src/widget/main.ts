/**
 * The chat widget: `<script src="https://host/widget.js" data-flow="health_intake" defer></script>`.
 *
 * Attributes: `data-flow` (required), `data-title`, `data-language` (default: the page's), `data-theme` (`light`,
 * `dark`, `auto`), `data-side` (`end`, `start`), `data-open` (open at once), `data-server` (default: where the script
 * came from), `data-auth` (`session`: the page's own login says who is asking, and no visitor's token is sent). The
 * widget is one element, `<turnwise-chat>`, whose shadow root the styles of the page do not reach.
 */

import { Client } from "./client";
import { Conversation } from "./conversation";
import { Keep } from "./keep";
import { Outbox } from "./outbox";
import { textsOf } from "./texts";
import { View } from "./view";

function mount(script: HTMLScriptElement): void {
  const { flow, title, language, theme, side, open, server, auth } = script.dataset;
  if (flow === undefined || flow === "") {
    console.error("turnwise widget: the script tag needs data-flow, the name of a flow.");
    return;
  }
  const base = (server ?? new URL(".", script.src).href).replace(/\/$/, "");
  const spoken = language ?? (document.documentElement.lang || navigator.language);
  const texts = textsOf(spoken);
  const host = document.createElement("turnwise-chat");
  host.lang = spoken;
  host.dataset.side = side === "start" ? "start" : "end";
  followTheme(host, theme ?? "auto");
  const view = new View(host, texts, title ?? texts.title);
  const keep = new Keep(`turnwise:${base}:${flow}:`);
  const hasSession = auth === "session";
  const conversation = new Conversation(new Client(base, flow, keep, hasSession), view, texts, new Outbox(keep, hasSession));
  view.onOpen = () => void conversation.open();
  view.onSend = (text) => void conversation.send({ text }, text);
  view.onButton = (value, position, label) => void conversation.send({ button: value, position }, label);
  view.onRetry = () => void conversation.retry();
  view.onAgain = () => void conversation.again();
  document.body.append(host);
  if (open !== undefined || keep.get("open") === "true") view.show({ hasFocus: false });
  view.onToggle = (isOpen) => keep.set("open", String(isOpen));
}

function followTheme(host: HTMLElement, theme: string): void {
  if (theme !== "auto") {
    host.dataset.theme = theme;
    return;
  }
  const dark = matchMedia("(prefers-color-scheme: dark)");
  const apply = () => (host.dataset.theme = dark.matches ? "dark" : "light");
  dark.addEventListener("change", apply);
  apply();
}

const script = document.currentScript;
if (script instanceof HTMLScriptElement) {
  if (document.body === null) addEventListener("DOMContentLoaded", () => mount(script), { once: true });
  else mount(script);
}
