import { useId, useState } from "react";
import { api } from "../../api/calls";
import { asProblem, type Problem } from "../../api/problem";
import type { ItemField, ValueView } from "../../api/types";
import { AskWhy } from "../../ask/AskWhy";
import { askWhy } from "../../ask/question";
import { announce } from "../../data/announce";
import { takeResult } from "../../data/conversations";
import { useConversationId, useMe, useScope } from "../../data/hooks";
import { useOperator } from "../../data/operator";
import { usePosition } from "../../data/position";
import { Button } from "../../ui/Button";
import { Options, optionsOf } from "../../ui/Options";
import { Pill } from "../../ui/Pill";
import { isMissing, valueText } from "../format";
import { ItemHistory } from "./ItemHistory";
import { commandsOf, draftOf, itemText, removedOf, rowsOf, type Item, type ItemRow } from "./items";
import { subjectWords } from "../../ask/subjects";
import { t } from "../../i18n/t";

const NEW = "new";

/** The items of a list of records: a row for each, whose values say why they are as they are. */
export function ItemTable({ value, turn }: { value: ValueView; turn: number }) {
  const [open, setOpen] = useState("");
  const edit = useEdit(value);
  const rows = rowsOf(value);
  const removed = removedOf(value);
  const isFull = value.most !== null && rows.length >= value.most;
  return (
    <>
      <div className="itemsbox">
        <table className="st items" aria-label={t("Items of {title} at the end of turn {turn}", { title: value.title, turn })}>
          <thead>
            <tr>
              <th scope="col">
                <span className="sr">{t("number")}</span>
              </th>
              {value.item_fields.map((field) => (
                <th scope="col" key={field.name} title={field.title}>
                  {field.name}
                </th>
              ))}
              <th scope="col">
                <span className="sr">{t("history and changes")}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {rows.map((row, at) =>
              edit.row === row.item.id ? (
                <EditRow key={row.item.id} item={row.item} number={at + 1} value={value} edit={edit} />
              ) : (
                <Row key={row.item.id} row={row} number={at + 1} value={value} edit={edit} isOpen={open === row.item.id} onOpen={() => setOpen(open === row.item.id ? "" : row.item.id)} />
              ),
            )}
            {edit.row === NEW && <EditRow item={null} number={rows.length + 1} value={value} edit={edit} />}
            {!rows.length && edit.row !== NEW && (
              <tr>
                <td />
                <td colSpan={value.item_fields.length + 1} className="v">
                  <i className="none">{t("no items")}</i>
                </td>
              </tr>
            )}
          </tbody>
        </table>
      </div>
      {removed.map((item) => (
        <p key={item.id} className="gone">
          <Pill>{t("removed this turn")}</Pill>{" "}
          <AskWhy subject={`item ${value.field}[${item.id}]`}>
            <s>{itemText(item, value.item_fields)}</s>
          </AskWhy>
        </p>
      ))}
      {edit.problem && (
        <p className="fault" role="alert">
          {edit.problem.detail}
        </p>
      )}
      {edit.isAllowed && edit.row !== NEW && (
        <Button look="quiet" icon="plus" disabled={isFull || edit.isBusy} onClick={() => edit.begin(NEW)}>
          {t("Add an item")}
        </Button>
      )}
      {open && <ItemHistory field={value.field} item={open} number={rows.findIndex(({ item }) => item.id === open) + 1} turn={turn} />}
    </>
  );
}

type RowProps = { row: ItemRow; number: number; value: ValueView; edit: Edit; isOpen: boolean; onOpen: () => void };

function Row({ row, number, value, edit, isOpen, onOpen }: RowProps) {
  const { item, isNew } = row;
  const name = t("item {number}, {values}", { number, values: itemText(item, value.item_fields) });
  const change = (command: Record<string, unknown>) => void edit.send([{ field: value.field, item: item.id, ...command }]);
  return (
    <tr className={isNew || Object.keys(row.before).length ? "chg" : ""} data-item={item.id}>
      <th scope="row">{number}</th>
      {value.item_fields.map((field) => (
        <td key={field.name} className="v">
          <Cell field={field} row={row} subject={`item ${value.field}[${item.id}].${field.name}`} />
        </td>
      ))}
      <td>
        <span className="rowacts">
          {isNew && <Pill>{t("new")}</Pill>}
          <Button look="quiet" icon="clock" label={t("History of {name}", { name })} aria-expanded={isOpen} onClick={onOpen} />
          {edit.isAllowed && (
            <>
              <Button look="quiet" icon="edit" label={t("Change {name}", { name })} autoFocus={edit.last === item.id} disabled={edit.isBusy} onClick={() => edit.begin(item.id)} />
              {number > 1 && <Button look="quiet" icon="up" label={t("Move {name} up", { name })} disabled={edit.isBusy} onClick={() => change({ type: "move", to: number - 1 })} />}
              <Button look="quiet" icon="close" label={t("Remove {name}", { name })} disabled={edit.isBusy} onClick={() => change({ type: "remove" })} />
            </>
          )}
        </span>
      </td>
    </tr>
  );
}

/** A value of an item. A press answers why it is so: what gave it, and what it was before. */
function Cell({ field, row, subject }: { field: ItemField; row: ItemRow; subject: string }) {
  const value = row.item[field.name];
  const isChanged = field.name in row.before;
  const before = row.before[field.name];
  const words = isMissing(value) ? t("not known") : valueText(value);
  const was = isChanged && !isMissing(before) ? t("was {before}", { before: valueText(before) }) : "";
  const label = [`${field.title}: ${words}`, ...(was ? [was] : []), ...(isChanged ? [t("changed in this turn")] : []), "why?"].join(", ");
  return (
    <button type="button" className={`cell ${isChanged ? "now" : ""}`} title={t("Why “{subject}”?", { subject: subjectWords(subject) })} aria-label={label} onClick={() => askWhy(subject)} data-ask={subject}>
      {isMissing(value) ? <i className="none">{words}</i> : words}
      {was && <small>{was}</small>}
    </button>
  );
}

function EditRow({ item, number, value, edit }: { item: Item | null; number: number; value: ValueView; edit: Edit }) {
  const id = useId();
  const [draft, setDraft] = useState(() => draftOf(item, value.item_fields));
  const commands = commandsOf(value.field, item, draft, value.item_fields);
  const save = () => (commands.length ? void edit.send(commands) : edit.begin(""));
  return (
    <tr className="ed" onKeyDown={(event) => (event.key === "Escape" ? edit.begin("") : event.key === "Enter" && (event.target as HTMLElement).tagName !== "BUTTON" ? save() : undefined)}>
      <th scope="row">{number}</th>
      {value.item_fields.map((field, at) => {
        const shared = {
          id: `${id}-${field.name}`,
          value: draft[field.name] ?? "",
          autoFocus: at === 0,
          "aria-label": t("{title} of item {number}", { title: field.title, number }),
          onChange: (event: { target: { value: string } }) => setDraft({ ...draft, [field.name]: event.target.value }),
        };
        const options = optionsOf(field.type, field.options);
        return (
          <td key={field.name} className="v">
            {options.length > 0 ? (
              <select {...shared}>
                <option value="">{t("no value")}</option>
                <Options type={field.type} options={options} />
              </select>
            ) : (
              <input type="text" {...shared} placeholder={field.type.startsWith("list") ? t("one, two") : ""} />
            )}
          </td>
        );
      })}
      <td>
        <span className="rowacts">
          <Button look="solid" icon="check" label={item ? t("Save the changes") : t("Add the item")} disabled={edit.isBusy} onClick={save} />
          <Button look="quiet" icon="close" label={t("Cancel")} onClick={() => edit.begin("")} />
        </span>
      </td>
    </tr>
  );
}

interface Edit {
  /** Whether this reader may change items: at the end of the conversation, in charge or as administrator. */
  readonly isAllowed: boolean;
  /** The id of the item that is being changed. */
  readonly row: string;
  /** The id of the item that was being changed before: its button takes the focus back. */
  readonly last: string;
  readonly isBusy: boolean;
  readonly problem: Problem | null;
  begin(row: string): void;
  send(items: readonly Record<string, unknown>[]): Promise<void>;
}

function useEdit(value: ValueView): Edit {
  const id = useConversationId();
  const isAdmin = useScope("admin");
  const { isMine } = useOperator();
  const { isLive } = usePosition();
  const isKnown = useMe().data !== null;
  const [{ row, last }, setRow] = useState({ row: "", last: "" });
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<Problem | null>(null);
  const begin = (next: string) => {
    setRow((now) => ({ row: next, last: now.row }));
    setProblem(null);
  };
  const send = async (items: readonly Record<string, unknown>[]) => {
    if (id === null || isBusy) return;
    setBusy(true);
    try {
      takeResult(id, (await api.editItems(id, items)).turn);
      begin("");
      announce(t("{title} changed", { title: value.title }));
    } catch (error) {
      setProblem(asProblem(error));
    } finally {
      setBusy(false);
    }
  };
  return { isAllowed: isKnown && isLive && value.is_active && (isMine || isAdmin), row, last, isBusy, problem, begin, send };
}
