import type { TimelineSign } from "../api/types";
import type { IconName } from "./icons";
import { t } from "../i18n/t";

/** What the clock does, a scope that is proposed, an overlay, an event of another system. */
export type Sign = TimelineSign[3];

export const SIGN_ICONS: Readonly<Record<Sign, IconName>> = { clock: "clock", offer: "bell", overlay: "overlay", event: "arrive", limit: "gauge" };

/** What the signs mean, for legends. */
export const SIGN_WORDS: Readonly<Record<Sign, string>> = { clock: t("by the clock"), offer: t("offered"), overlay: t("overlay"), event: t("other system"), limit: t("budget") };
