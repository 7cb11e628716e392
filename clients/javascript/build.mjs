// Bring the web client's modules that index.js needs into lib/, and write their types with TypeScript: `npm pack` runs this.
import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const [source, lib] = [join(here, "..", "web", "js"), join(here, "lib")];
/** The parts of a language that refusals are put into words with. */
const WORDS = ["cards", "common", "moves", "piles", "refusals"];
const found = new Set();

/** Copy a module and what it imports. The types of messages come from lib/wire.d.ts. @param {string} path */
function bring(path) {
  if (found.has(path)) return;
  found.add(path);
  const text = readFileSync(join(source, path), "utf8");
  for (const [, other] of text.matchAll(/^(?:import|export) .* from "(\..*)";$/gm)) bring(join(dirname(path), other));
  const wire = `./${relative(dirname(path), "wire.js")}`.replace("./../", "../");
  mkdirSync(dirname(join(lib, path)), { recursive: true });
  writeFileSync(join(lib, path), text.replaceAll('"wire"', `"${wire}"`));
}

rmSync(lib, { recursive: true, force: true });
for (const [, path] of readFileSync(join(here, "index.js"), "utf8").matchAll(/from "\.\/lib\/(.*)";/g)) {
  if (path !== "english.js") bring(path);
}
const { words } = JSON.parse(readFileSync(join(source, "..", "languages", "en.json"), "utf8"));
const english = { words: Object.fromEntries(WORDS.map((section) => [section, words[section]])) };
const type = '/** @type {{words: {[section: string]: import("./language/translate.js").Words}}} */';
writeFileSync(join(lib, "english.js"), `/** The words of refusals. */\n${type}\nexport const english = ${JSON.stringify(english, null, 1)};\n`);
cpSync(join(here, "..", "..", "LICENSE"), join(here, "LICENSE"));
cpSync(join(here, "..", "wire", "wire.d.ts"), join(lib, "wire.d.ts"));
const options = "--ignoreConfig --allowJs --declaration --emitDeclarationOnly --skipLibCheck --target es2022 --module esnext --moduleResolution bundler --lib es2023,dom,dom.iterable";
execFileSync("npx", ["--yes", "--package", "typescript@7.0.2", "tsc", ...options.split(" "), "--rootDir", here, "--outDir", here, join(here, "index.js")], { stdio: "inherit" });
