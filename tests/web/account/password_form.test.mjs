/** The problems of a change of password that the page finds by itself, as the server would. */
import assert from "node:assert/strict";
import { test } from "node:test";

import { passwordProblems } from "../../../clients/web/js/account/password_form.js";
import "../english.mjs";

const HAD = "eight red queens";
const WANTED = "nine black knaves";
const UNFIT = "A password has 8 to 256 characters.";
const NOT_YOURS = "This is not your password.";
const fine = { present: "", wanted: "" };

test("another password that is long enough has no problem", () => {
  assert.deepEqual(passwordProblems(HAD, WANTED), fine);
});

test("the present password is needed, and an impossible one is not sent", () => {
  assert.deepEqual(passwordProblems("", WANTED), { ...fine, present: "Enter your current password." });
  assert.deepEqual(passwordProblems("short", WANTED), { ...fine, present: NOT_YOURS });
});

test("the new password must differ from the present one", () => {
  assert.deepEqual(passwordProblems(HAD, HAD), { ...fine, wanted: "This is your current password. Choose another one." });
});

test("both fields can have a problem at once", () => {
  assert.deepEqual(passwordProblems("short", "short"), { present: NOT_YOURS, wanted: UNFIT });
});

for (const [length, words] of [[7, UNFIT], [8, ""], [256, ""], [257, UNFIT]]) {
  test(`${length} characters are ${words ? "too few or too many" : "a password"}, whatever they are made of`, () => {
    for (const character of ["q", "ß", "🂭"]) assert.deepEqual(passwordProblems(HAD, character.repeat(length)), { ...fine, wanted: words });
  });
}
