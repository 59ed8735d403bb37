// Answers of the browser's core: `node answers.mjs CORE` reads a JSON list of questions, writes a list of answers or errors.

import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const folder = pathToFileURL(`${process.argv[2]}/`);
const { ask, initSync } = await import(new URL("airlag.js", folder));
initSync({ module: readFileSync(new URL("airlag_bg.wasm", folder)) });

function answered(question) {
  try {
    const answer = ask(question);
    const { json } = answer;
    answer.free();
    return { json };
  } catch (error) {
    return { error: error.message };
  }
}

const questions = JSON.parse(readFileSync(0, "utf8"));
process.stdout.write(JSON.stringify(questions.map(answered)));
