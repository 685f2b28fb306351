/** Names for the unions that the API's shapes write inline. */

import type { Considered, Group, Leaf } from "../api/types";

export type Outcome = Considered["outcome"];
export type Verdict = Leaf | Group;
export type VerdictKind = Leaf["verdict"];
