// Puts the binary of this platform's package in the place of the launcher, so that no Node process stays beside it. npm
// links to that file. pnpm starts it by a shell that stays, npm on Windows by a script, and Yarn takes it for a script of
// Node: there the launcher stays.
"use strict";
const fs = require("fs");
const path = require("path");

if (process.platform !== "win32" && /^npm\//.test(process.env.npm_config_user_agent || "")) {
  const launcher = path.join(__dirname, "bin", "fsbox");
  try {
    const binary = require.resolve(`@fsbox/${process.platform}-${process.arch}/bin/fsbox`);
    fs.rmSync(launcher + ".new", { force: true });
    try {
      fs.linkSync(binary, launcher + ".new");
    } catch {
      fs.copyFileSync(binary, launcher + ".new"); // another file system
      fs.chmodSync(launcher + ".new", 0o755);
    }
    fs.renameSync(launcher + ".new", launcher);
  } catch {
    // the launcher works as well, and says what is missing
  }
}
