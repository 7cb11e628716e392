/**
 * Every language is complete: no key is missing or surplus, no placeholder is lost or added, and every plural form exists.
 * The code uses no key that does not exist, and has no texts of its own.
 */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";

const WEB = new URL("../../../clients/web/", import.meta.url);
const languages = Object.fromEntries(readdirSync(new URL("languages/", WEB)).filter((name) => name.endsWith(".json"))
  .map((name) => [name.replace(".json", ""), JSON.parse(readFileSync(new URL(`languages/${name}`, WEB), "utf8"))]));
const english = leaves(languages.en);
const sources = readdirSync(new URL("js/", WEB), { recursive: true }).map(String).filter((name) => /\.m?js$/.test(name))
  .map((name) => ({ name, code: withoutComments(readFileSync(new URL(`js/${name}`, WEB), "utf8")) }));

/** Prefixes of keys that are put together in another place than where `t` is called, each with its file. */
const PUT_TOGETHER = { "boards.empty": "leaderboards/leaderboard_panel.js" };
/** The section with the server's texts, and the one with what only the terminal client says. Both have their own tests. */
const [SERVERS, TERMINALS] = ["refusals", "terminal"];
/** Strings in the code that only look like texts to read. */
const NO_WORDS = [/^Cadogan$/, /^(Authorization: )?Bearer \S+$/, /^M[\d. -]/, /^[A-Z]$/, /^[A-Z][a-z]+(Left|Right|Up|Down)$/, /^cadogan /];

/**
 * Words that only some games need: for their piles, their verbs and their reasons. A language may lack those of a game that
 * it does not have yet; players then read the English ones. `tests/games/test_words.py` and
 * `tests/server/core/test_translations.py` hold which a language must have.
 * @param {string} key
 */
function isOfAGame(key) {
  if (key.startsWith(`${SERVERS}.`) || key.startsWith("moves.verb_")) return true;
  return key.startsWith("piles.") && !key.startsWith("piles.role_") && !sources.some(({ code }) => code.includes(`"${key}"`));
}

/** Texts and plural forms by "section.key". */
function leaves(file) {
  return new Map(Object.entries(file.words).flatMap(([section, keys]) =>
    Object.entries(keys).map(([key, words]) => [`${section}.${key}`, words])));
}

function places(text) {
  return [...text.matchAll(/\{(\w+)\}/g)].map(([, name]) => name).sort();
}

function withoutComments(code) {
  return code.replace(/\/\*[\s\S]*?\*\//g, "").replace(/(^|[^:"'`\w])\/\/.*$/gm, "$1");
}

for (const [tag, file] of Object.entries(languages)) {
  const words = leaves(file);
  const forms = new Intl.PluralRules(tag).resolvedOptions().pluralCategories.sort();

  test(`${tag} has a name and a tag that browsers know`, () => {
    assert.ok(file.name.length > 1);
    assert.deepEqual(Intl.getCanonicalLocales(tag), [tag]);
  });

  test(`${tag} does not call the challenge of a day and its puzzle by one name`, () => {
    const puzzle = words.get("puzzle.short").toLocaleLowerCase(tag);
    assert.deepEqual(["seat.challenge", "home.challenge_of"].filter((key) => words.get(key).toLocaleLowerCase(tag).includes(puzzle)), []);
  });

  test(`${tag} has every key and no other`, () => {
    assert.deepEqual([...english.keys()].filter((key) => !words.has(key) && !isOfAGame(key)), [], "missing");
    assert.deepEqual([...words.keys()].filter((key) => !english.has(key)), [], "surplus");
  });

  test(`${tag} has all its plural forms wherever English has two`, () => {
    for (const [key, text] of words) {
      const plural = typeof english.get(key) === "object";
      if (plural || typeof text === "object") assert.deepEqual(Object.keys(text).sort(), tag === "en" || plural ? forms : [], key);
    }
  });

  test(`${tag} has the same placeholders as English`, () => {
    for (const [key, text] of words) {
      const wanted = places(typeof english.get(key) === "object" ? english.get(key).other : english.get(key));
      if (typeof text === "string") {
        assert.deepEqual(places(text), wanted, key);
        continue;
      }
      for (const [form, said] of Object.entries(text)) {
        const expected = form === "other" || said.includes("{count}") ? wanted : wanted.filter((name) => name !== "count");
        assert.deepEqual(places(said), expected, `${key} ${form}`);
      }
    }
  });

  test(`${tag} has no empty text and no text with spaces around it`, () => {
    for (const [key, text] of words) {
      for (const said of typeof text === "string" ? [text] : Object.values(text)) assert.ok(said !== "" && said === said.trim(), key);
    }
  });
}

test("the code uses no key that does not exist", () => {
  const sections = new Set(Object.keys(languages.en.words));
  const missing = sources.flatMap(({ name, code }) => [...code.matchAll(/"([a-z]+)\.([A-Za-z_0-9]+)"/g)]
    .filter(([, section, key]) => sections.has(section) && !/^\d+$/.test(key) && !english.has(`${section}.${key}`))
    .map(([literal]) => `${name}: ${literal}`));
  assert.deepEqual(missing, []);
  const asked = sources.flatMap(({ name, code }) =>
    [...code.matchAll(/\b(?:t|tNodes|hasText)\(\s*"([^"]*)"/g)].map(([, key]) => ({ name, key })));
  assert.deepEqual(asked.filter(({ key }) => !english.has(key)), []);
});

test("every key is used somewhere", () => {
  const whole = new Set(sources.flatMap(({ code }) => [...code.matchAll(/"([a-z]+\.[A-Za-z_0-9]+)"/g)].map(([, key]) => key)));
  const page = ["index.html", "offline.html"].map((name) => readFileSync(new URL(name, WEB), "utf8")).join("");
  for (const [, key] of page.matchAll(/data-[a-z-]+="([a-z]+\.[A-Za-z_0-9]+)"/g)) whole.add(key);
  const begun = sources.flatMap(({ name, code }) =>
    [...code.matchAll(/`([a-z]+\.[A-Za-z_]*)\$\{/g)].map(([, prefix]) => ({ name, prefix })));
  for (const { name, prefix } of begun.filter(({ prefix }) => prefix.split(".")[0] in languages.en.words)) {
    assert.ok([...english.keys()].some((key) => key.startsWith(prefix)), `${name}: no key begins with ${prefix}`);
  }
  const prefixes = [...begun.map(({ prefix }) => prefix), ...Object.keys(PUT_TOGETHER)];
  const isAsked = (key) => whole.has(key) || key.startsWith(`${SERVERS}.`) || key.startsWith(`${TERMINALS}.`) || prefixes.some((prefix) => key.startsWith(prefix));
  const idle = [...english.keys()].filter((key) => !isAsked(key));
  assert.deepEqual(idle, []);
  for (const [prefix, file] of Object.entries(PUT_TOGETHER)) {
    assert.ok(sources.find(({ name }) => name === file)?.code.includes(prefix.split(".")[1]), `${file} asks for ${prefix}`);
  }
});

test("no text that people read is written in the code itself", () => {
  const inPlace = [
    /\belement\("[a-z0-9]+", \{[^{}]*\}, "([^"]*)"/g,
    /\b(?:button|copyButton|labelled)\("([^"]*)"/g,
    /\blink\([^,()]+, "([^"]*)"/g,
    /\b(?:textContent|title|placeholder|message) ?[:=] ?"([^"]*)"/g,
    /"aria-(?:label|description|roledescription|valuetext)"(?:: |, )"([^"]*)"/g,
    /\b(?:say|announce|title)\("([^"]*)"/g,
  ];
  const sentence = /["`]([A-Z][a-z’']*,? (?:[a-z]|\$\{)[^"`]*|[^"`]*[a-z] [a-z]+[.?!…])["`]/g;
  const found = sources.flatMap(({ name, code }) => {
    const shown = inPlace.flatMap((pattern) => [...code.matchAll(pattern)].map(([, text]) => text))
      .filter((text) => /[A-Za-z]{2}/.test(text) && text !== "button");
    const told = code.split("\n").filter((line) => !/new \w*Error\(|throw |^import |console\./.test(line))
      .flatMap((line) => [...line.matchAll(sentence)].map(([, text]) => text));
    return [...shown, ...told].filter((text) => !NO_WORDS.some((pattern) => pattern.test(text))).map((text) => `${name}: ${text}`);
  });
  assert.deepEqual(found, []);
});

test("the pages as files, which are shown before any script runs, have the words of the English file", () => {
  for (const name of ["index.html", "offline.html"]) {
    const page = readFileSync(new URL(name, WEB), "utf8");
    const shown = [...page.matchAll(/data-words="([^"]+)"[^>]*>([^<]*)</g)].map(([, key, text]) => [key, text]);
    assert.ok(shown.length > 2, name);
    assert.deepEqual(shown, shown.map(([key]) => [key, english.get(key)]), name);
  }
});
