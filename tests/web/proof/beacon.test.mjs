import assert from "node:assert/strict";
import { test } from "node:test";

import { libraryOf } from "../../../clients/web/js/hashing/bls.js";
import { chainHash, chainName, isGenuine, isRound, isSignedRound, nonceEnd, roundOf, signedAt } from "../../../clients/web/js/proof/beacon.js";
import { LIBRARY, skip } from "./library.mjs";

const QUICKNET = {
  beacon_id: "quicknet", genesis_seed: "f477d5c89f21a17c863a7f937c6a6d15859414d2be09cd448d4279af331c5d3e", genesis_time: 1692803367, period: 3,
  public_key: "83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d1064510d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a",
};
const RECORDED = [
  [1, "b55e7cb2d5c613ee0b2e28d6750aabbb78c39dcc96bd9d38c2c2e12198df95571de8e8e402a0cc48871c7089a2b3af4b", "062761d559323e76206e008041065bc541e6dedc116cd3b0"],
  [123, "b75c69d0b72a5d906e854e808ba7e2accb1542ac355ae486d591aa9d43765482e26cd02df835d3546d23c4b13e0dfc92", "a9bc02864a8b62191d509c35b3d3e1f48fa4ddf2da82b03b"],
  [1000, "b44679b9a59af2ec876b1a6b1ad52ea9b1615fc3982b19576350f93447cb1125e342b73a8dd2bacbe47e4b6b63ed5e39", "c359a6a2521ab74b4fb189655f62f4f4a73bfe2a51e0a644"],
];

for (const [round, signature, digits] of RECORDED) {
  test(`round ${round}, as quicknet has signed it, is genuine, and is the signature of no other round`, { skip }, async () => {
    assert.equal(await isGenuine({ chain: QUICKNET, round, signature }), true);
    assert.equal(await isGenuine({ chain: QUICKNET, round: round + 1, signature }), false);
    assert.equal(nonceEnd({ chain: QUICKNET, round, signature }), `@${digits}`);
  });
}

test("points that are none, or lie at infinity, are no signature", { skip }, async () => {
  for (const signature of [`c0${"00".repeat(47)}`, "00".repeat(48), "ff".repeat(48), `80${"00".repeat(47)}`, `9${RECORDED[2][1].slice(1)}`, "00".repeat(47)]) {
    assert.equal(await isGenuine({ chain: QUICKNET, round: 1000, signature }), false, signature);
  }
  const keyless = { ...QUICKNET, public_key: `c0${"00".repeat(95)}` };
  assert.equal(await isGenuine({ chain: keyless, round: 1000, signature: RECORDED[2][1] }), false);
});

test("a page can be used between the steps of a verification", { skip }, async () => {
  await isGenuine({ chain: QUICKNET, round: 1, signature: RECORDED[0][1] }); // the library is loaded from now on
  let turns = 0;
  const timer = setInterval(() => { turns += 1; });
  await isGenuine({ chain: QUICKNET, round: 1000, signature: RECORDED[2][1] });
  clearInterval(timer);
  assert.ok(turns >= 1, String(turns));
});

test("the library lies beside the bundle, and modules that are served one by one have none", () => {
  assert.equal(libraryOf("https://club.example/bundle/0123456789abcdef/main.js"), "https://club.example/bundle/0123456789abcdef/bls12_381.js");
  assert.equal(libraryOf("https://club.example/js/hashing/bls.js"), null);
  assert.equal(libraryOf(new URL("../../../clients/web/js/hashing/bls.js", import.meta.url).href), LIBRARY.href);
});

test("the hash of a chain is the one that drand gives it, and a chain of another key is not called quicknet", () => {
  assert.equal(chainHash(QUICKNET), "52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971");
  assert.equal(chainName(QUICKNET), "quicknet");
  const other = { ...QUICKNET, public_key: "8".repeat(192) };
  assert.equal(chainName(other), chainHash(other));
});

test("the round of a day is the first that is signed when it begins or after it", () => {
  const round = roundOf(QUICKNET, "2026-11-20");
  const begins = Date.parse("2026-11-20T00:00:00Z");
  assert.ok(signedAt({ chain: QUICKNET, round }) >= begins && signedAt({ chain: QUICKNET, round: round - 1 }) < begins);
  assert.equal(roundOf(QUICKNET, "2023-08-23"), 1, "the chain began on this day");
  for (const day of ["2026-02-30", "2026-13-01", "2026-1-1", "", "today"]) assert.equal(roundOf(QUICKNET, day), null);
});

test("a round has every part of its chain, each within its bounds", () => {
  const sound = { chain: QUICKNET, round: 1, signature: RECORDED[0][1] };
  assert.ok(isRound(sound) && isSignedRound(sound));
  const chains = [null, [], { ...QUICKNET, period: 0 }, { ...QUICKNET, genesis_time: -1 }, { ...QUICKNET, public_key: "" }, { ...QUICKNET, beacon_id: "ä" }];
  for (const chain of chains) assert.ok(!isRound({ chain, round: 1 }));
  for (const round of [0, 1.5, "1", 2 ** 41]) assert.ok(!isRound({ chain: QUICKNET, round }));
  assert.ok(!isSignedRound({ ...sound, signature: sound.signature.toUpperCase() }) && !isRound(null) && !isRound([]));
});
