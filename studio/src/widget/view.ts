/** The widget's elements: launcher, panel, log, buttons and composer. It shows what it is given and reports input. */

import type { Button, Message } from "../api/types";
import { element, iconButton } from "./elements";
import { styleSheet } from "./styles";
import { summaryCard } from "./card";
import { rendered } from "./text";
import type { Texts } from "./texts";

export class View {
  onOpen = (): void => undefined;
  onSend = (_text: string): void => undefined;
  onButton = (_value: string, _position: number | null, _label: string): void => undefined;
  onRetry = (): void => undefined;
  onAgain = (): void => undefined;
  onToggle = (_isOpen: boolean): void => undefined;

  private readonly launcher: HTMLButtonElement;
  private readonly panel = element("section", "panel");
  private readonly log = element("div", "log");
  private readonly status = element("div", "status");
  private readonly starts = element("div", "buttons starts");
  private readonly field = document.createElement("textarea");
  private readonly form = document.createElement("form");
  private buttons: HTMLElement | null = null;
  private blocked = "";
  private pendings: HTMLElement[] = [];
  /** The labels of buttons that were offered, by value: a press is shown as what was pressed. */
  private readonly labels = new Map<string, string>();
  private isWriting = false;
  private draft: HTMLElement | null = null;
  private draftText = "";

  constructor(
    private readonly host: HTMLElement,
    private readonly texts: Texts,
    title: string,
  ) {
    const root = host.attachShadow({ mode: "open" });
    root.adoptedStyleSheets = [styleSheet()];
    this.launcher = iconButton("launcher", "chat", texts.open);
    this.launcher.addEventListener("click", () => this.show());
    this.build(title);
    root.append(this.panel, this.launcher);
  }

  /** Open the panel, and move the focus to the message field if the visitor opened it. */
  show({ hasFocus = true } = {}): void {
    this.toggle(true);
    this.onOpen();
    if (hasFocus) this.field.focus();
  }

  hide(): void {
    this.toggle(false);
    this.launcher.focus();
  }

  /** Show a stored message of either side. */
  add(message: Message): void {
    const isMine = message.by === "user" || message.by === "button";
    if (message.by === "tool" || message.is_undone) return;
    const item = element("div", `message ${isMine ? "mine" : ""}`);
    for (const { label, value } of message.buttons) this.labels.set(value, label);
    const label = message.by === "button" ? this.labels.get(message.text) : undefined;
    item.append(speakerOf(message, isMine, this.texts), bodyOf(label === undefined ? message : { ...message, text: label }, this.texts));
    this.log.insertBefore(item, this.pendings[0] ?? this.draft);
    this.scroll();
  }

  /** Show what the visitor wrote and the server has not stored yet. */
  pending(texts: readonly string[]): void {
    for (const item of this.pendings) item.remove();
    this.pendings = texts.map((text) => {
      const item = element("div", "message mine pending");
      const body = element("div", "body");
      body.append(rendered(text));
      item.append(body);
      this.log.insertBefore(item, this.draft);
      return item;
    });
    this.scroll();
  }

  /** Show a system line, such as a person who joined. */
  note(text: string): void {
    const item = element("div", "message system");
    item.textContent = text;
    this.log.append(item);
    this.scroll();
  }

  /** Append a piece of the reply that is being generated. It is announced only when it is complete. */
  write(piece: string): void {
    if (this.draft === null) {
      this.draft = element("div", "message");
      this.draft.setAttribute("aria-hidden", "true");
      this.log.append(this.draft);
    }
    this.draftText += piece;
    const body = element("div", "body writing");
    body.append(rendered(this.draftText));
    this.draft.replaceChildren(body);
    this.scroll();
  }

  /** Remove the pieces of a reply; the stored message replaces them. */
  dropDraft(): void {
    this.draft?.remove();
    this.draft = null;
    this.draftText = "";
  }

  /** Show the buttons of the open question. */
  offer(buttons: readonly Button[], position: number | null): void {
    this.buttons?.remove();
    this.buttons = null;
    if (buttons.length === 0) return;
    this.buttons = element("div", "buttons");
    this.buttons.setAttribute("role", "group");
    this.buttons.append(...this.pressable(buttons, position));
    this.log.append(this.buttons);
    this.markBlocked();
    this.scroll();
  }

  /** Show the buttons that begin an inner conversation. */
  offerStarts(starts: readonly Button[]): void {
    this.starts.replaceChildren(...this.pressable(starts, null));
    this.starts.hidden = starts.length === 0;
  }

  private pressable(buttons: readonly Button[], position: number | null): HTMLButtonElement[] {
    return buttons.map(({ label, value }) => {
      const button = document.createElement("button");
      button.type = "button";
      button.textContent = label;
      button.addEventListener("click", () => {
        this.log.focus();
        this.onButton(value, position, label);
      });
      return button;
    });
  }

  /** Show why buttons are not taken now; an empty reason makes them live again. */
  block(reason: string): void {
    this.blocked = reason;
    this.markBlocked();
  }

  private markBlocked(): void {
    if (this.buttons === null) return;
    for (const button of this.buttons.querySelectorAll("button")) button.disabled = this.blocked !== "";
    this.buttons.querySelector("p")?.remove();
    this.buttons.removeAttribute("aria-describedby");
    if (this.blocked === "") return;
    const reason = document.createElement("p");
    reason.id = "blocked";
    reason.textContent = this.blocked;
    this.buttons.append(reason);
    this.buttons.setAttribute("aria-describedby", reason.id);
  }

  clear(): void {
    this.dropDraft();
    this.log.replaceChildren();
    this.pendings = [];
    this.buttons = null;
    this.blocked = "";
    this.offerStarts([]);
    this.say("");
  }

  busy(isBusy: boolean): void {
    this.log.setAttribute("aria-busy", String(isBusy));
    if (isBusy) this.say(this.texts.writing);
    else if (this.isWriting) this.say("");
    this.isWriting = isBusy;
  }

  /** Show a line above the composer. */
  say(text: string): void {
    this.isWriting = false;
    this.status.className = "status";
    this.status.textContent = text;
  }

  /** Show an error in words, with a button to try again if it has a label. */
  fail(text: string, retry = ""): void {
    this.isWriting = false;
    this.status.className = "status error";
    this.status.replaceChildren(text);
    if (retry !== "") this.status.append(document.createElement("br"), this.action(retry, () => this.onRetry()));
  }

  /** Show that the conversation cannot go on, with a button to begin another. */
  end(reason: string): void {
    this.say("");
    this.status.append(reason, document.createElement("br"));
    this.status.append(this.action(this.texts.again, () => this.onAgain()));
  }

  /** Put a text back into the message field, before what was typed since. */
  restore(text: string): void {
    this.field.value = [text, this.field.value].filter(Boolean).join("\n");
  }

  private action(label: string, run: () => void): HTMLButtonElement {
    const button = document.createElement("button");
    button.type = "button";
    button.className = "retry";
    button.textContent = label;
    button.addEventListener("click", run);
    return button;
  }

  private toggle(isOpen: boolean): void {
    this.panel.hidden = !isOpen;
    this.launcher.hidden = isOpen;
    this.host.toggleAttribute("data-open", isOpen);
    this.onToggle(isOpen);
  }

  private build(title: string): void {
    this.panel.hidden = true;
    this.panel.setAttribute("aria-label", title);
    const header = document.createElement("header");
    const heading = document.createElement("h2");
    heading.textContent = title;
    const close = iconButton("icon", "close", this.texts.close);
    close.addEventListener("click", () => this.hide());
    header.append(heading, close);
    this.log.setAttribute("role", "log");
    this.log.setAttribute("aria-label", title);
    this.log.tabIndex = 0;
    this.status.setAttribute("role", "status");
    this.starts.setAttribute("role", "group");
    this.starts.setAttribute("aria-label", this.texts.begin);
    this.starts.hidden = true;
    this.buildForm();
    this.panel.append(header, this.log, this.status, this.starts, this.form);
    this.panel.addEventListener("keydown", (event) => {
      if (event.key === "Escape") this.hide();
    });
  }

  private buildForm(): void {
    this.field.rows = 1;
    this.field.placeholder = this.texts.placeholder;
    this.field.setAttribute("aria-label", this.texts.placeholder);
    const send = iconButton("icon send", "send", this.texts.send);
    send.type = "submit";
    this.form.append(this.field, send);
    this.form.addEventListener("submit", (event) => {
      event.preventDefault();
      const text = this.field.value.trim();
      if (text === "") return;
      this.field.value = "";
      this.onSend(text);
    });
    this.field.addEventListener("keydown", (event) => {
      if (event.key === "Enter" && !event.shiftKey && !event.isComposing) {
        event.preventDefault();
        this.form.requestSubmit();
      }
    });
  }

  private scroll(): void {
    this.log.scrollTop = this.log.scrollHeight;
  }
}

function speakerOf(message: Message, isMine: boolean, texts: Texts): Node {
  const who = element("div", message.by === "person" ? "who" : "sr");
  who.textContent = isMine ? `${texts.you}:` : message.by === "person" ? message.speaker : "";
  return who;
}

function bodyOf(message: Message, texts: Texts): HTMLElement {
  const body = element("div", message.is_erased ? "body erased" : "body");
  body.append(message.is_erased ? texts.erased : (summaryCard(message) ?? rendered(message.text)));
  return body;
}
