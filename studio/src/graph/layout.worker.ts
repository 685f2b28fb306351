// Lays flows out beside the page: that of a large flow takes seconds, and the page stays responsive.

import type { GraphView } from "../api/types";
import { layOut, type Ranks } from "./layout";

addEventListener("message", ({ data }: MessageEvent<{ view: GraphView; ranks: Ranks | null }>) => postMessage(layOut(data.view, data.ranks)));
