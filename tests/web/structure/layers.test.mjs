import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { dirname, join, normalize } from "node:path";
import { test } from "node:test";

const JS = new URL("../../../clients/web/js/", import.meta.url);
const README = readFileSync(new URL("../README.md", JS), "utf8");

/** The folders of clients/web/js, the highest first. A module imports modules of its own folder and of lower ones only. */
const LAYERS = [
  ".", "pages", "admin", "chat", "account", "access", "ending", "race", "evening", "analysis", "watch", "table", "reactions", "collection", "shelf", "daily", "leaderboards", "board", "cards", "ui", "net", "language", "proof",
  "transparency", "hashing", "game", "settings",
];
const MAX_MODULES = 15;

const modules = readdirSync(JS, { recursive: true }).map(String).filter((name) => /\.m?js$/.test(name));
const folderOf = (module) => (module.includes("/") ? module.split("/")[0] : ".");

/** The modules that a module imports when it is loaded. Types and pages that are loaded later do not count. */
function importsOf(module) {
  const code = readFileSync(new URL(module, JS), "utf8").replace(/\/\*[\s\S]*?\*\//g, "");
  return [...code.matchAll(/^(?:import|export)\s(?:[^"();]*?\sfrom\s+)?"(\.[^"]+)"/gm)].map(([, path]) => normalize(join(dirname(module), path)));
}

const imports = new Map(modules.map((module) => [module, importsOf(module)]));

test("every folder has a layer, and the README names it", () => {
  assert.deepEqual([...new Set(modules.map(folderOf))].sort(), [...LAYERS].sort());
  for (const folder of LAYERS.slice(1)) assert.ok(README.includes(`\`js/${folder}/\``), `clients/web/README.md does not name js/${folder}/`);
});

test("modules import only from their own folder and from lower ones", () => {
  const upwards = [...imports].flatMap(([module, imported]) => imported
    .filter((other) => LAYERS.indexOf(folderOf(other)) < LAYERS.indexOf(folderOf(module))).map((other) => `${module} imports ${other}`));
  assert.deepEqual(upwards, []);
});

test("no modules import each other in a circle", () => {
  const done = new Set();
  const visit = (module, path) => {
    assert.ok(!path.includes(module), [...path, module].join(" imports "));
    if (done.has(module)) return;
    for (const other of imports.get(module)) visit(other, [...path, module]);
    done.add(module);
  };
  for (const module of modules) visit(module, []);
});

test("no folder has more than fifteen modules", () => {
  const folders = modules.map((module) => dirname(module));
  const crowded = [...new Set(folders)].filter((folder) => folders.filter((other) => other === folder).length > MAX_MODULES);
  assert.deepEqual(crowded, []);
});
