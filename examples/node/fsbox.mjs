// A client for fsbox. Copy this file into your project; it needs Node 18 and nothing else.
//
//   const box = new Fsbox("path/to/workspace", "--allow-write");
//   const { content } = await box.call("read", { path: "notes.txt" });
//   await box.close();
//
// It remembers the etag of every file that it looked at or changed, and sends it along with write, append, edit and delete: a
// file that somebody else changed in between is refused as stale, until it is looked at again or an if_match is sent. It
// doesn't do so for calls about several files (patch, edit with glob), nor for move and copy. A link is a file of its own here.
import { spawn } from "node:child_process";
import { createInterface } from "node:readline";

// All other names are looked up, for models know these tools by several: write, Edit, str_replace.
const needNoEtag = new Set(["info", "ls", "glob", "read", "grep", "patch", "mkdir", "copy", "move", "undo", "check", "schema"]);

// A failed call: its code (docs/codes.md lists them), hint and details.
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
  #waiting = null; // what takes the next answer
  #turn = Promise.resolve(); // calls are made one after the other, in the order in which they come
  #over = null; // why there are no more answers
  #etags = new Map(); // by path, as answers name it

  constructor(root, ...flags) {
    this.#process = spawn("fsbox", ["batch", "--format", "json", "--root", root, ...flags], { stdio: ["pipe", "pipe", "inherit"] });
    this.ended = new Promise((resolve) => this.#process.on("close", resolve).on("error", resolve));
    this.ended.then((why) => this.#end(new Error(`fsbox ended: ${why}`)));
    this.#process.stdin.on("error", () => {}); // told by ended
    createInterface({ input: this.#process.stdout }).on("line", (line) => {
      const answer = JSON.parse(line);
      if (this.#waiting) this.#waiting.resolve(answer);
      else this.#end(new FsboxError(answer)); // it could not begin
      this.#waiting = null;
    });
  }

  #end(why) {
    this.#over ??= why;
    this.#waiting?.reject(this.#over);
  }

  #send(tool, input) {
    return new Promise((resolve, reject) => {
      if (this.#over) return reject(this.#over);
      this.#waiting = { resolve, reject };
      this.#process.stdin.write(JSON.stringify({ tool, input }) + "\n");
    });
  }

  // The whole answer, also of a call that fails: what a model should see.
  answer(tool, input = {}) {
    const answer = this.#turn.then(() => this.#ask(tool, input));
    this.#turn = answer.catch(() => {});
    return answer;
  }

  async #ask(tool, input) {
    const etag = await this.#etag(tool, input);
    let answer = await this.#send(tool, etag ? { ...input, if_match: etag } : input);
    if (etag && ["stale", "invalid_input"].includes(answer.error) && answer.details?.etag === undefined) {
      answer = await this.#send(tool, input); // no file is there any more: a new one, or a link that is to be deleted
    }
    if (answer.success && !answer.result.dry_run) this.#remember(answer.result);
    return answer;
  }

  // The result of a call; throws FsboxError if it fails. What else a success says, such as warnings, only answer() has.
  async call(tool, input) {
    const answer = await this.answer(tool, input);
    if (!answer.success) throw new FsboxError(answer);
    return answer.result;
  }

  // The etag that the file of a change had when it was seen last; undefined without one.
  async #etag(tool, input) {
    if (needNoEtag.has(tool) || input.if_match || this.#etags.size === 0) return undefined;
    if (this.#etags.has(input.path)) return this.#etags.get(input.path);
    const plan = await this.#send(tool, { ...input, dry_run: true }); // ./a.txt, an absolute path, file_path: which file is it?
    return this.#etags.get(plan.result?.path);
  }

  #remember(result) {
    for (const one of [result, ...(result.files ?? []), ...(result.restored ?? [])]) {
      const path = one.path ?? one.to;
      if (one.etag) this.#etags.set(path, one.etag);
      else if (one.etag === null || one.deleted) this.#etags.delete(path);
    }
  }

  async close() {
    await this.#turn;
    this.#process.stdin.end(); // fsbox ends when its input does
    return this.ended;
  }
}
