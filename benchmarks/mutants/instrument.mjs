/**
 * `node instrument.mjs FILE...`: lets Stryker write all bugs that it knows into these files, each behind a switch.
 *
 * The process that loads such a file has the one bug whose id is in the variable __STRYKER_ACTIVE_MUTANT__, or none. Writes what
 * the bugs are as JSON: the file, where the bug begins and ends, its kind, and the text in its place.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { createInstrumenter } from "@stryker-mutator/instrumenter";
import { createInjector } from "typed-inject";

const quiet = Object.fromEntries(["trace", "debug", "info", "warn", "error", "fatal"].flatMap((level) => [
  [level, () => undefined], [`is${level[0].toUpperCase()}${level.slice(1)}Enabled`, () => false],
]));
const files = process.argv.slice(2).map((name) => ({ name, mutate: true, content: readFileSync(name, "utf8") }));
const instrumenter = createInjector().provideValue("logger", quiet).injectFunction(createInstrumenter);
const result = await instrumenter.instrument(files, { plugins: null, excludedMutations: [], ignorers: [] });
for (const { name, content } of result.files) writeFileSync(name, content);
process.stdout.write(JSON.stringify(result.mutants.map(({ fileName, id, location, mutatorName, replacement }) => ({
  fileName, id, location, mutatorName, replacement,
}))));
