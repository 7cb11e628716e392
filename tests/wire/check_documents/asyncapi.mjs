// Parse an AsyncAPI document with AsyncAPI's own parser: `node asyncapi.mjs <folder with node_modules> <document>`.
import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";

const [folder, file] = process.argv.slice(2);
const { Parser } = createRequire(`${folder}/`)("@asyncapi/parser");
const { document, diagnostics } = await new Parser().parse(await readFile(file, "utf8"));
const errors = diagnostics.filter(({ severity }) => severity === 0);
for (const { path, message } of errors) console.error(path.join("."), message);
if (!document || errors.length) process.exit(1);
console.log(`AsyncAPI's parser reads ${document.operations().all().length} operations.`);
