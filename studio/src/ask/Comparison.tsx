import type { Fact } from "../api/types";
import { Link } from "../app/Link";
import { conversationRoute, useRoute } from "../data/route";
import { useTitles } from "../data/titles";
import { t, tx } from "../i18n/t";
import { ConversationName } from "../ui/ConversationName";
import { Icon } from "../ui/Icon";
import { AskWhy } from "./AskWhy";
import { Chain, FactLine, FactText, TurnLink, type Frame } from "./FactLine";

type Shared = { node: string; did: string; turn: number; other_turn: number };
/** One of the two; its label is its conversation, or its turn where two turns of one are compared. */
type Side = { label: string; conversation: string; isHere: boolean };

const SHOWN = 5;

/** Two conversations side by side: the moves that both made, the first that differs, and the values that made it. */
export function Comparison({ id, facts }: { id: string; facts: readonly Fact[] }) {
  const [first, ...rest] = facts;
  const route = useRoute();
  const values = first?.values ?? {};
  const shared = (values["shared"] ?? []) as Shared[];
  const sides = sidesOf(id, values["sides"]);
  const fields = rest.filter((fact) => fact.kind === "values_differ");
  const reasons = sides.map((side) => rest.filter((fact) => ownerOf(fact) === side.label));
  const others = rest.filter((fact) => fact.kind !== "values_differ" && !reasons.flat().includes(fact));
  const decisive = fields.filter((fact) => fact.values?.["is_decisive"]);
  return (
    <>
      {sides[0].conversation !== sides[1].conversation && route.page === "conversation" && (
        <p className="besides">
          <Link className="btn" to={{ page: "side", one: sides[0].conversation, other: sides[1].conversation, turn: null }}>
            {t("Show both side by side, live")}
          </Link>
        </p>
      )}
      <table className="sides" aria-label={t("Side by side")}>
        <thead>
          <tr>
            {sides.map((side, at) => (
              <th key={at} scope="col">
                <SideName side={side} />
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {shared.length > SHOWN && (
            <tr className="alike">
              <td colSpan={2}>{tx("{length} earlier moves are the same", { length: shared.length - SHOWN })}</td>
            </tr>
          )}
          {shared.slice(-SHOWN).map((move, at) => (
            <tr key={at} className="alike">
              <MoveCell text={move.did} turn={move.turn} side={sides[0]} />
              <MoveCell text={move.did} turn={move.other_turn} side={sides[1]} />
            </tr>
          ))}
          {first?.kind === "ways_part" && (
            <tr className="parts">
              <MoveCell text={String(values["did"])} turn={Number(values["turn"])} side={sides[0]} />
              <MoveCell text={String(values["did_other"])} turn={Number(values["other_turn"])} side={sides[1]} />
            </tr>
          )}
          {reasons.some((facts) => facts.length > 0) && (
            <tr>
              {sides.map((side, at) => (
                <td key={at}>
                  {reasons[at]?.map((fact) => <Reason key={fact.kind} fact={fact} frame={{ ...NOWHERE, turn: fact.turn ?? 0, ...elsewhere(side) }} />)}
                </td>
              ))}
            </tr>
          )}
        </tbody>
        {fields.map((fact) => (
          <FieldRows key={String(fact.values?.["field"])} fact={fact} sides={sides} isDecisive={decisive.includes(fact)} />
        ))}
      </table>
      {others.map((fact, at) => (
        <FactLine key={at} fact={fact} frame={NOWHERE} />
      ))}
    </>
  );
}

/** Which side a fact explains: how it moved, or why it did not. */
const ownerOf = ({ kind, values = {} }: Fact): unknown => (kind === "not_taken" ? values["one"] : values["of"]);

/** Why a side moved, or did not take the move of the other one. The move itself stands above. */
function Reason({ fact, frame }: { fact: Fact; frame: Frame }) {
  return (
    <>
      {fact.kind === "not_taken" && <FactLine fact={fact} frame={frame} />}
      <Chain fact={{ ...fact, turn: frame.turn }} frame={frame} />
    </>
  );
}

/** The two that are compared; `id` is the conversation of the page. */
function sidesOf(id: string, sides: unknown): readonly [Side, Side] {
  const [one, other] = (sides as Omit<Side, "isHere">[]).map((side) => ({ ...side, isHere: side.conversation === id }));
  return [one!, other!];
}

function SideName({ side }: { side: Side }) {
  if (side.label !== side.conversation) return side.label;
  if (side.isHere) return <ConversationName id={side.conversation} />;
  return (
    <Link to={conversationRoute(side.conversation)}>
      <ConversationName id={side.conversation} />
    </Link>
  );
}

const elsewhere = (side: Side): Pick<Frame, "elsewhere"> => (side.isHere ? {} : { elsewhere: side.conversation });
const NOWHERE: Frame = { subject: { kind: "conversation" }, turn: 0 };

function MoveCell({ text, turn, side }: { text: string; turn: number; side: Side }) {
  return (
    <td>
      <FactText fact={{ kind: "ways_part", text, turn }} frame={{ ...NOWHERE, ...elsewhere(side) }} />{" "}
      {turn > 0 && <TurnLink turn={turn} elsewhere={side.isHere ? undefined : side.conversation} />}
    </td>
  );
}

/** A field in which they differ: its name with what it decides, and on each side the value and where it came from. */
function FieldRows({ fact, sides, isDecisive }: { fact: Fact; sides: readonly [Side, Side]; isDecisive: boolean }) {
  const values = fact.values ?? {};
  const field = String(values["field"]);
  const titles = useTitles();
  return (
    <tbody className={isDecisive ? "field decisive" : "field"}>
      <tr>
        <th colSpan={2} scope="rowgroup">
          <AskWhy subject={`field ${field}`}>
            <code>{titles.field(field)}</code>
          </AskWhy>
          {isDecisive && (
            <small>
              <Icon name="differs" /> {String(values["decides"])}
            </small>
          )}
        </th>
      </tr>
      <tr>
        {sides.map((side, at) => {
          const value = (values["shown"] as string[])[values["one"] === side.label ? 0 : 1];
          const origin = (fact.causes ?? []).find((cause) => cause.values?.["of"] === side.label);
          const frame: Frame = { subject: { kind: "field", name: field }, turn: 0, ...elsewhere(side) };
          return (
            <td key={at}>
              <b>{value}</b>
              {origin && <Chain fact={{ ...fact, turn: 0, causes: [origin] }} frame={frame} />}
            </td>
          );
        })}
      </tr>
    </tbody>
  );
}
