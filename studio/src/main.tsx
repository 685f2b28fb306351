import "./styles/tokens.css";
import "./styles/base.css";
import "./styles/shared.css";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app/App";
import { startTheme } from "./app/theme";
import "./styles/modes.css";

startTheme();
const root = document.getElementById("root");
if (root) {
  createRoot(root).render(
    <StrictMode>
      <App />
    </StrictMode>,
  );
}
