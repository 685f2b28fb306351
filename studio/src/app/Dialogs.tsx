import { useLayout } from "../data/layout";
import { DeleteDialog } from "./DeleteDialog";
import { ForkDialog } from "./ForkDialog";
import { KeyDialog } from "./KeyDialog";
import { KeysDialog } from "./KeysDialog";
import { NewDialog } from "./NewDialog";
import { SearchDialog } from "./SearchDialog";
import { SettingsDialog } from "./SettingsDialog";

/** The dialog that is open, if one is. */
export function Dialogs() {
  const { dialog } = useLayout();
  switch (dialog) {
    case "keys":
      return <KeysDialog />;
    case "new":
      return <NewDialog />;
    case "search":
      return <SearchDialog />;
    case "delete":
      return <DeleteDialog />;
    case "fork":
      return <ForkDialog />;
    case "settings":
      return <SettingsDialog />;
    case "key":
      return <KeyDialog />;
    default:
      return null;
  }
}
