// What an author does with the open document, and what stands in the way of saving it.

import type { SourceFile } from "../api/types";
import { act } from "../data/actions";
import { Button } from "../ui/Button";
import type { EditingNow } from "./useEditing";
import { countText } from "../panel/format";
import { t } from "../i18n/t";

/** How many problems the checker found in the text as it is. */
function faultsText({ faults }: EditingNow): string {
  if (!faults) return t("checking");
  const errors = faults.filter((one) => one.severity === "error").length;
  const warnings = faults.length - errors;
  return [errors ? countText(errors, "error") : "", warnings ? countText(warnings, "warning") : ""].filter(Boolean).join(", ") || t("no problems");
}

/** The buttons beside the name of the document. */
export function EditBar({ editing }: { editing: EditingNow }) {
  const { canEdit, isEditing, draft, isSaving } = editing;
  if (!isEditing) {
    return (
      <>
        <span className="muted hw">{draft ? t("not saved") : t("read only")}</span>
        {canEdit && (
          <Button look="quiet" icon="edit" onClick={editing.begin}>
            {t("Edit")}
          </Button>
        )}
      </>
    );
  }
  const hasErrors = editing.faults?.some((one) => one.severity === "error");
  return (
    <>
      <span className={hasErrors ? "no sfaults" : "muted sfaults"} role="status">
        {faultsText(editing)}
      </span>
      {draft && <span className="unk">{t("not saved")}</span>}
      <Button look="quiet" disabled={isSaving} onClick={() => void editing.format()}>
        {t("Format")}
      </Button>
      <Button look="quiet" icon="undo" onClick={() => act("undo-in-source")}>
        {t("Undo")}
      </Button>
      <Button look="quiet" onClick={editing.end}>
        {t("Read")}
      </Button>
      <Button look="solid" disabled={isSaving || !draft} onClick={() => void editing.save()}>
        {t("Save")}
      </Button>
    </>
  );
}

/** Why the document was not saved, and what the author can do about it. */
export function EditNotice({ editing, file }: { editing: EditingNow; file: SourceFile }) {
  const { problem, isEditing, isOutdated } = editing;
  if (!isEditing || (!problem && !isOutdated)) return null;
  return (
    <p className="snotice" role="alert">
      <span>{isOutdated ? t("{name} has changed on disk since you began to edit it.", { name: file.name }) : problem?.detail || problem?.title}</span>
      {isOutdated && (
        <>
          <Button onClick={editing.insist}>{t("Keep mine")}</Button>
          <Button onClick={editing.discard}>{t("Take the file")}</Button>
        </>
      )}
    </p>
  );
}
