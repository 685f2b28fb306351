// Opens the search of the source that is shown. Apart from the editor, so that the first page does not load that.

import { act } from "../data/actions";

export const findInSource = (): boolean => act("find-in-source");
