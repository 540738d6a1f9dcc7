#!/usr/bin/env node
// Starts the fsbox binary of this platform's package, with the same arguments, streams and exit status.
"use strict";
const { spawn } = require("child_process");

const name = `@fsbox/${process.platform}-${process.arch}`;
const file = process.platform === "win32" ? "fsbox.exe" : "fsbox";
let binary;
try {
  binary = require.resolve(`${name}/bin/${file}`);
} catch {
  console.error(`fsbox: the package ${name} is missing: install fsbox again, with optional dependencies; there may be none for this platform`);
  process.exit(1);
}

const child = spawn(binary, process.argv.slice(2), { stdio: "inherit", windowsHide: true });
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => child.kill(signal));
}
child.on("error", (err) => {
  console.error(`fsbox: ${err.message}`);
  process.exit(1);
});
child.on("exit", (code, signal) => {
  if (signal) {
    process.removeAllListeners(signal);
    process.kill(process.pid, signal);
  } else {
    process.exit(code);
  }
});
