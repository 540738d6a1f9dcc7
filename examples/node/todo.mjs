// Collects the TODO lines of a workspace in TODO.md: node todo.mjs WORKSPACE
import { Fsbox, FsboxError } from "./fsbox.mjs";

const box = new Fsbox(process.argv[2], "--allow-write");
try {
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
  const { files } = await box.call("glob", { pattern: "*.md" });
  console.log(files.join("\n"));
  await box.call("read", { path: "TODO.txt" });
} catch (failure) {
  if (!(failure instanceof FsboxError)) throw failure;
  console.log(failure.message); // with the hint, which names the next step
} finally {
  await box.close();
}
