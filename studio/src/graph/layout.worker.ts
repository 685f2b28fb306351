// Lays flows out beside the page: that of a large flow takes seconds, and the page stays responsive.

import type { GraphView } from "../api/types";
import { layOut } from "./layout";

addEventListener("message", ({ data }: MessageEvent<GraphView>) => postMessage(layOut(data)));
