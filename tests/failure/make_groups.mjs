// Make groups with the web client's requests, all at once, when a line comes: `node make_groups.mjs <server> <name>...`.
import { createInterface } from "node:readline/promises";

import { createGroup, listGroups, signInAsGuest, useServer } from "../../clients/web/js/net/api.js";

const [origin, ...names] = process.argv.slice(2);
useServer(origin);
await signInAsGuest();
console.log("ready");
const lines = createInterface({ input: process.stdin });
await lines[Symbol.asyncIterator]().next();
lines.close();
await Promise.all(names.map((name) => createGroup(name).then(() => console.log("made"))));
console.log((await listGroups()).map(({ name }) => name).sort().join(" "));
