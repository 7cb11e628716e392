// Says of each line, a round of drand with its chain and signature as JSON, whether it is genuine.
import { createInterface } from "node:readline";

import { isGenuine } from "../../clients/web/js/proof/beacon.js";

for await (const line of createInterface({ input: process.stdin })) process.stdout.write(`${await isGenuine(JSON.parse(line))}\n`);
