import assert from "node:assert/strict";
import { test } from "node:test";

import { findHindrance, keyBytes } from "../../../clients/web/js/net/notification_api.js";

/** A page in a browser that shows notifications; a test takes something away. */
const able = (permission = "default") => ({ isSecureContext: true, navigator: { serviceWorker: {} }, PushManager: class {}, Notification: { permission } });

test("nothing is in the way in a browser that has push and was not told to show nothing", () => {
  assert.equal(findHindrance(able()), null);
  assert.equal(findHindrance(able("granted")), null);
});

test("what is in the way is found out before anything else is tried", () => {
  assert.equal(findHindrance(able("denied")), "denied");
  assert.equal(findHindrance({ ...able(), isSecureContext: false }), "insecure");
  assert.equal(findHindrance({ ...able(), navigator: {} }), "unsupported");
  const { PushManager: _, ...without } = able();
  assert.equal(findHindrance(without), "unsupported");
});

test("a page on an iPhone has push only from the Home Screen", () => {
  const { PushManager: _, ...safari } = able();
  assert.equal(findHindrance({ ...safari, navigator: { serviceWorker: {}, standalone: false } }), "apple");
  assert.equal(findHindrance({ ...able(), navigator: { serviceWorker: {}, standalone: true } }), null);
});

test("a key in base64url is read byte by byte", () => {
  assert.deepEqual([...keyBytes("BP-_AA")], [4, 255, 191, 0]);
});
