import { useEffect, useState } from "react";
import { api } from "../api/calls";
import { asProblem, type Problem } from "../api/problem";
import type { DeliveryView } from "../api/types";
import { useNow } from "../app/clock";
import { useScope } from "../data/hooks";
import { usePosition } from "../data/position";
import { invalidate } from "../data/resource";
import { useDeliveries } from "../data/timing";
import { Section } from "../panel/Section";
import { Icon } from "../ui/Icon";
import type { IconName } from "../ui/icons";
import { Refusal } from "../ui/Refusal";
import { deliveriesText, deliveryText, momentText } from "./words";
import { t, tx } from "../i18n/t";

/** How often open deliveries are asked for: nothing of them is in the journal. */
const ASK_MS = 2000;

const ICONS: Readonly<Record<DeliveryView["status"], IconName>> = { waiting: "clock", sending: "clock", delivered: "held", failed: "error" };

/** What was said by itself and is on its way to the user's messenger, the last first. */
export function Deliveries({ zone }: { zone: string }) {
  const { data } = useDeliveries();
  const now = useNow(1000);
  const isOpen = data?.some(({ status }) => status === "waiting" || status === "sending") ?? false;
  useEffect(() => {
    if (!isOpen) return;
    const timer = setInterval(() => invalidate("deliveries:"), ASK_MS);
    return () => clearInterval(timer);
  }, [isOpen]);
  if (!data?.length) return null;
  return (
    <Section id="deliveries" title={t("Deliveries")} aside={deliveriesText(data)} isOpen>
      <div className="pad">
        <table className="dl" aria-label={t("Deliveries")}>
          <thead>
            <tr>
              <th scope="col">{t("when")}</th>
              <th scope="col">{t("what")}</th>
              <th scope="col">{t("state")}</th>
              <th scope="col">
                <span className="sr">{t("Send again")}</span>
              </th>
            </tr>
          </thead>
          <tbody>
            {data.toReversed().map((one) => (
              <Delivery key={one.id} delivery={one} now={now} zone={zone} />
            ))}
          </tbody>
        </table>
      </div>
    </Section>
  );
}

function Delivery({ delivery, now, zone }: { delivery: DeliveryView; now: number; zone: string }) {
  const position = usePosition();
  const { turn, about, status, error } = delivery;
  return (
    <tr data-delivery={delivery.id}>
      <td>{momentText(delivery.at_ms, now, zone)}</td>
      <td>
        <button type="button" className="linkish" onClick={() => position.go(turn)}>
          {about || t("turn {turn}", { turn })}
        </button>
      </td>
      <td>
        <Icon name={ICONS[status]} />
        {deliveryText(delivery, now, zone)}
        {delivery.reported_in > 0 && <p className="soft">{tx("turn {reported_in} reported it to the program", { reported_in: delivery.reported_in })}</p>}
        {error && status !== "delivered" && <p className="soft">{error}</p>}
      </td>
      <td>
        <SendAgain delivery={delivery} />
      </td>
    </tr>
  );
}

/** Sends what failed once more, and what waits now. */
export function SendAgain({ delivery, onSent }: { delivery: DeliveryView; onSent?: () => void }) {
  const maySend = useScope("operator");
  const [problem, setProblem] = useState<Problem | null>(null);
  if (!maySend || delivery.status === "sending" || delivery.status === "delivered") return null;
  const send = () => {
    setProblem(null);
    api
      .sendAgain(delivery.conversation, delivery.id, delivery.reported_in > 0)
      .then(() => {
        invalidate("deliveries:");
        onSent?.();
      })
      .catch((error: unknown) => setProblem(asProblem(error)));
  };
  const words = delivery.reported_in > 0 ? t("Send again anyway") : delivery.status === "failed" ? t("Send again") : t("Send now");
  return (
    <>
      <button type="button" className="btn" aria-label={`${words}: ${delivery.about || `turn ${delivery.turn}`}`} onClick={send}>
        {words}
      </button>
      {problem && <Refusal problem={problem} />}
    </>
  );
}
