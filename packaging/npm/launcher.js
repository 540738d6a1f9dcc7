#!/usr/bin/env node
// Starts the fsbox binary of this platform's package, with the same arguments, streams and exit status. Where npm may run
// install.js, the binary itself is in the place of this file.
"use strict";
const { spawn } = require("child_process");

const name = `@fsbox/${process.platform}-${process.arch}`;
let binary;
try {
  binary = require.resolve(`${name}/bin/${process.platform === "win32" ? "fsbox.exe" : "fsbox"}`);
} catch {
  console.error(`fsbox: the package ${name} is missing: install fsbox again, with optional dependencies; there may be none for this platform`);
  process.exit(1);
}
const args = process.argv.slice(2);

// From Node 22.15 on, the binary takes the place of this process, except on Windows.
if (process.platform !== "win32" && typeof process.execve === "function") {
  process.removeAllListeners("warning"); // it is experimental, and stderr is fsbox's
  process.execve(binary, [binary, ...args], process.env);
}

// A server ends when its input does. It gets a pipe of its own, so that it ends whatever kills this process.
const isServer = ["mcp", "batch"].includes(args.find((arg, i) => !arg.startsWith("-") && !(args[i - 1] || "").startsWith("-")));
const child = spawn(binary, args, { stdio: [isServer ? "pipe" : "inherit", "inherit", "inherit"], windowsHide: true });
if (isServer) {
  process.stdin.pipe(child.stdin);
  child.stdin.on("error", () => {}); // told by "exit"
}
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
