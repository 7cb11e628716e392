import assert from "node:assert/strict";
import { test } from "node:test";

import { hex, sha256 } from "../../../clients/web/js/hashing/sha256.js";
import { BadNote } from "../../../clients/web/js/transparency/notes.js";
import { ENTRIES, readBundle, tilePath, treeHash, widthOf } from "../../../clients/web/js/transparency/tree.js";

test("tiles have the paths of C2SP", () => {
  assert.equal(tilePath(1, 1234067, 256), "tile/1/x001/x234/067");
  assert.equal(tilePath(0, 5, 17), "tile/0/005.p/17");
  assert.equal(tilePath(ENTRIES, 1000, 256), "tile/entries/x001/000");
});

test("tiles are as wide as the tree allows", () => {
  assert.deepEqual([widthOf(0, 0, 300), widthOf(0, 1, 300), widthOf(0, 2, 300), widthOf(1, 0, 300), widthOf(1, 0, 70_000), widthOf(2, 0, 70_000)], [256, 44, 0, 1, 256, 1]);
  assert.equal(widthOf(ENTRIES, 1, 300), 44);
});

test("the root of no hashes is the SHA-256 of nothing, and that of one hash is the hash", () => {
  assert.equal(hex(treeHash([])), "e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855");
  assert.deepEqual(treeHash([sha256(Uint8Array.of(1))]), sha256(Uint8Array.of(1)));
});

test("a bundle that ends in the middle of an entry is refused", () => {
  assert.deepEqual(readBundle(Uint8Array.of(0, 1, 7, 0, 0)), [Uint8Array.of(7), new Uint8Array(0)]);
  for (const bundle of [[0], [0, 2, 7], [0, 1, 7, 1]]) assert.throws(() => readBundle(Uint8Array.from(bundle)), BadNote);
});
