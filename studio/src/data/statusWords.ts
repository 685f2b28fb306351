// What people call the status of a form, a call or a scope.

import type { CallView, FrameInfo, StateView } from "../api/types";
import { t } from "../i18n/t";

const FORM: Record<NonNullable<StateView["form"]>["status"], string> = {
  collecting: t("collecting answers"),
  awaiting_confirmation: t("awaiting confirmation"),
  confirmed: t("confirmed"),
  stopped: t("stopped"),
  cancelled: t("cancelled"),
  handed_off: t("handed off"),
};
const CALL: Record<CallView["status"], string> = {
  answered: t("answered"),
  failed: t("failed"),
  refused: t("refused"),
  returned: t("returned"),
  unknown: t("not known"),
  waiting: t("waiting"),
};
const SCOPE: Record<Exclude<FrameInfo["status"], "closed">, string> = { open: t("open"), undone: t("undone") };

export const formStatus = (status: keyof typeof FORM): string => FORM[status];
export const callStatus = (status: keyof typeof CALL): string => CALL[status];
export const scopeStatus = (status: keyof typeof SCOPE): string => SCOPE[status];
