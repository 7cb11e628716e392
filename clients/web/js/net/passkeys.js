/** Passkeys: what the browser is asked for, and how its answers are sent. */
import { t } from "../language/translate.js";
import { keepNewCodes, keepToken, Refusal, request } from "./api.js";

/** Whether this browser has passkeys for this address: they need HTTPS, or this very machine, and a name. */
export const hasPasskeys = () => Boolean(globalThis.PublicKeyCredential) && isSecureContext && !/^[\d.]+$|^\[/.test(location.hostname);

export const listPasskeys = () => request("GET /passkeys").then(({ passkeys }) => passkeys);
/** @param {string} id */
export const removePasskey = (id) => request("DELETE /passkeys/{id}", { id }).then(({ passkeys }) => passkeys);

/** Let the browser use a passkey, and sign in with it. */
export const signInWithPasskey = async () => {
  const { player } = keepToken(await request("POST /session/passkey", {}, await sign()));
  return player;
};

/** Let the browser use a passkey in place of the password. */
export const confirmWithPasskey = async () => request("PUT /session/passkey/confirmation", {}, await sign());

/** Let the browser make a passkey. Send it with `add`, which may be done again. @param {string} user the player's name @param {string} name */
export async function makePasskey(user, name) {
  const { challenge, site, user: id, known } = await request("POST /account/passkey/challenge");
  const made = await ask(() => navigator.credentials.create({ publicKey: {
    challenge: decode(challenge), rp: { id: site, name: "Cadogan" }, user: { id: decode(id), name: user, displayName: user },
    pubKeyCredParams: [-8, -7, -257].map((alg) => ({ type: "public-key", alg })),
    authenticatorSelection: { residentKey: "required", userVerification: "required" },
    excludeCredentials: known.map((one) => ({ type: "public-key", id: decode(one) })),
  } }));
  const response = /** @type {AuthenticatorAttestationResponse} */ (made.response);
  return { name, credential: made.id, client_data: encode(response.clientDataJSON), attestation: encode(response.attestationObject) };
}

/** @param {Awaited<ReturnType<typeof makePasskey>>} made */
export const addPasskey = (made) => request("PUT /passkeys", {}, made).then(({ passkeys }) => passkeys);

/** Create an account with a passkey, which has the same name at first. @param {string} player @param {string} [invitation] */
export const claimNameWithPasskey = async (player, invitation) =>
  keepNewCodes(keepToken(await request("POST /account/passkey", {}, { ...await makePasskey(player, player), player, invitation })));

async function sign() {
  const { challenge, site } = await request("POST /session/passkey/challenge");
  const used = await ask(() => navigator.credentials.get({ publicKey: { challenge: decode(challenge), rpId: site, userVerification: "required" } }));
  const response = /** @type {AuthenticatorAssertionResponse} */ (used.response);
  return {
    credential: used.id, client_data: encode(response.clientDataJSON),
    authenticator_data: encode(response.authenticatorData), signature: encode(response.signature),
  };
}

/**
 * Ask the browser. Whatever its reason is for not answering, it has told the reader: nothing was used.
 * @param {() => Promise<Credential|null>} question
 */
async function ask(question) {
  const answer = await question().catch(() => null);
  if (!answer) throw new Refusal({ code: "bad_credentials", message: t("account.passkey_failed") });
  return /** @type {PublicKeyCredential} */ (answer);
}

/** The bytes that are written in base64url. @param {string} text */
const decode = (text) => Uint8Array.from(atob(text.replaceAll("-", "+").replaceAll("_", "/")), (letter) => letter.charCodeAt(0));

/** Base64url without padding. @param {ArrayBuffer} bytes */
const encode = (bytes) => btoa(String.fromCharCode(...new Uint8Array(bytes))).replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
