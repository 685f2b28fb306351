/** The shapes of the API. `schema.ts` is generated from the server's OpenAPI document. */
export type * from "./schema";

import type { DeltaSent, Draining, EntrySent, EvaluationSent, FlowChanged, Forgotten, MessageSent, Reset, SeamSent, SummarySent, TurnSent } from "./schema";

/** The events of the multiplexed stream; the name of the server-sent event says which one it is. */
export type StreamEvent = DeltaSent | EntrySent | MessageSent | SeamSent | EvaluationSent | TurnSent | SummarySent | Forgotten | Reset | FlowChanged | Draining;
