// A client for fsbox. Copy this file into your project; it needs Node 18 and nothing else.
//
//   const box = new Fsbox("path/to/workspace", "--allow-write");
//   const { content } = await box.call("read", { path: "notes.txt" });
//   await box.close();
//
// It remembers the etag of every file that it read or wrote, and sends it along with a change: a file that somebody else
// changed in between is refused as stale instead of being overwritten.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

const changesOneFile = new Set(["write", "append", "edit", "delete"]);

// A failed call: its code (README.md lists them), hint and details.
export class FsboxError extends Error {
  constructor(answer) {
    super(`${answer.error}: ${answer.message}${answer.hint ? ` (${answer.hint})` : ""}`);
    this.code = answer.error;
    this.hint = answer.hint ?? "";
    this.retryable = answer.retryable ?? false;
    this.details = answer.details ?? {};
  }
}

export class Fsbox {
  #process;
  #waiting = new Map(); // id of a request: what takes its answer
  #etags = new Map();
  #next = 1;

  constructor(root, ...flags) {
    this.#process = spawn("fsbox", ["batch", "--format", "json", "--root", root, ...flags], { stdio: ["pipe", "pipe", "inherit"] });
    this.ended = new Promise((resolve) => this.#process.on("close", resolve).on("error", resolve));
    this.ended.then((why) => this.#waiting.forEach(({ reject }) => reject(new Error(`fsbox ended: ${why}`))));
    this.#process.stdin.on("error", () => {}); // told by ended
    createInterface({ input: this.#process.stdout }).on("line", (line) => {
      const answer = JSON.parse(line);
      if (answer.id === undefined) this.#waiting.forEach(({ reject }) => reject(new FsboxError(answer))); // it could not begin
      this.#waiting.get(answer.id)?.resolve(answer);
      this.#waiting.delete(answer.id);
    });
  }

  // The whole answer, also of a call that fails: what a model should see.
  async answer(tool, input) {
    if (changesOneFile.has(tool) && this.#etags.has(input.path)) {
      input = { if_match: this.#etags.get(input.path), ...input };
    }
    const id = this.#next++;
    const answer = await new Promise((resolve, reject) => {
      this.#waiting.set(id, { resolve, reject });
      this.#process.stdin.write(JSON.stringify({ id, tool, input }) + "\n");
    });
    if (answer.success) this.#remember(answer.result);
    if (answer.error === "stale") this.#etags.delete(input.path); // it was told; after another look it may go on
    return answer;
  }

  // The result of a call; throws FsboxError if it fails.
  async call(tool, input) {
    const answer = await this.answer(tool, input);
    if (!answer.success) throw new FsboxError(answer);
    return answer.result;
  }

  #remember(result) {
    this.#etags.delete(result.from);
    for (const one of [result, ...(result.files ?? []), ...(result.restored ?? [])]) {
      const path = one.path ?? one.to;
      if (one.etag) this.#etags.set(path, one.etag);
      else if (one.etag === null || one.deleted) this.#etags.delete(path);
    }
  }

  close() {
    this.#process.stdin.end(); // fsbox ends when its input does
    return this.ended;
  }
}
