import { useLayout } from "../data/layout";
import { KeysDialog } from "./KeysDialog";

/** The dialog that is open, if one is. */
export function Dialogs() {
  const { dialog } = useLayout();
  if (dialog === "keys") return <KeysDialog />;
  return null;
}
