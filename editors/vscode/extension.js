// Starts `turnwise lsp` for DyGram documents and flows in YAML and JSON.
"use strict";

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");

let client;

/** The command line of the server, from the settings. */
function commandLine(settings) {
  const [command, ...first] = settings.get("command");
  const given = ["store", "python"].filter((name) => settings.get(name));
  return { command, args: [...first, "lsp", ...given.flatMap((name) => [`--${name}`, settings.get(name)])] };
}

/** The documents that the server is asked about. */
function documents(settings) {
  const patterns = ["**/*.flow.{yaml,yml,json}", ...settings.get("files")];
  const yaml = ["yaml", "json"].flatMap((language) => patterns.map((pattern) => ({ scheme: "file", language, pattern })));
  return [{ language: "dygram" }, ...yaml];
}

async function start() {
  const settings = vscode.workspace.getConfiguration("turnwise");
  const { command, args } = commandLine(settings);
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri.fsPath;
  client = new LanguageClient(
    "turnwise",
    "turnwise",
    { command, args, options: { cwd: folder } },
    { documentSelector: documents(settings) },
  );
  try {
    await client.start();
  } catch (error) {
    client = undefined;
    const shown = await vscode.window.showErrorMessage(
      `turnwise cannot be started by '${command}': ${error.message}. Install it: pip install 'turnwise[editor]'`,
      "Settings",
    );
    if (shown) await vscode.commands.executeCommand("workbench.action.openSettings", "turnwise.command");
  }
}

async function stop() {
  const before = client;
  client = undefined;
  if (before) await before.stop();
}

async function restart() {
  await stop();
  await start();
}

async function activate(context) {
  context.subscriptions.push(
    vscode.commands.registerCommand("turnwise.restart", restart),
    vscode.workspace.onDidChangeConfiguration((event) => (event.affectsConfiguration("turnwise") ? restart() : undefined)),
    vscode.workspace.onDidGrantWorkspaceTrust(restart),
  );
  await start();
}

module.exports = { activate, deactivate: stop, commandLine };
