// Collects the TODO lines of a workspace in TODO.md. An empty directory is filled first.
//
//   node todo.mjs WORKSPACE
import { Fsbox, FsboxError } from "./fsbox.mjs";

if (process.argv.length !== 3) {
  console.error("usage: node todo.mjs WORKSPACE");
  process.exit(2);
}
const box = new Fsbox(process.argv[2], "--allow-write", "--create-root");
try {
  const { count } = await box.call("ls", { include_hidden: true });
  if (count === 0) {
    await box.call("write", { path: "a.go", content: "x := 1 // TODO: more\n" });
    await box.call("write", { path: "src/b.js", content: "// TODO\n" });
    await box.call("write", { path: "README.md", content: "text\n" });
  }
  const lines = [];
  let cursor = "";
  do { // a search that has more than one page says so
    const page = await box.call("grep", { query: "TODO", glob: ["!TODO.md"], cursor });
    lines.push(...page.matches.map((m) => `- ${m.file}:${m.line} ${m.snippet.trim()}\n`));
    cursor = page.next_cursor ?? "";
  } while (cursor);
  const content = lines.join("");
  try {
    await box.call("write", { path: "TODO.md", content });
  } catch (failure) {
    if (!(failure instanceof FsboxError) || failure.code !== "file_exists") throw failure;
    await box.call("read", { path: "TODO.md" }); // from here on nobody else's change to it is overwritten
    await box.call("write", { path: "TODO.md", content, mode: "overwrite" });
  }
  const { files, truncated } = await box.call("glob", { pattern: "*.md" });
  console.log(files.join("\n") + (truncated ? "\nand more" : ""));
  const answer = await box.answer("read", { path: "TODO.txt" }); // a failure, to show one
  console.log(`${answer.error}: ${answer.hint}`); // the hint names the next step
} catch (failure) {
  if (!(failure instanceof FsboxError)) throw failure;
  console.error(failure.message);
  process.exitCode = 1;
} finally {
  await box.close();
}
