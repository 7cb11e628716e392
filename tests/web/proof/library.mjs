import { existsSync } from "node:fs";

/** The library that checks signatures of rounds, where the bundler has brought it. */
export const LIBRARY = new URL("../../../clients/web/bundle/bls12_381.js", import.meta.url);
/** Why a test of signatures is left out: without the library, unless everything must run. */
export const skip = !existsSync(LIBRARY) && process.env.CADOGAN_REQUIRE_SERVICES !== "1" && "needs `python -m deploy.bundle`";
