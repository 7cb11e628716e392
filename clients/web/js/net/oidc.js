/** Signing in by the organisation's provider: the browser goes there, and comes back to the page `/account/provider`. */
import { keepNewCodes, keepToken, request } from "./api.js";

const INVITATION = "oidc-invitation";
const PLACE = "oidc-place";

/** The provider that signs people in, and whether the reader is linked with it. A server without one has no name for it. */
export const readProvider = () => request("GET /session/oidc");
/** Go to the provider, to sign in. @param {string} [invitation] the code from a link, which is kept for the way back */
export const goToProvider = async (invitation = "") => {
  const { address } = await request("POST /session/oidc/request");
  sessionStorage.setItem(INVITATION, invitation);
  sessionStorage.removeItem(PLACE);
  location.assign(address);
};
/** Go to the provider, to link the reader's account. */
export const linkProvider = async () => {
  const { address } = await request("POST /account/oidc/request");
  sessionStorage.removeItem(PLACE);
  location.assign(address);
};
/** Go to the provider, to confirm that it is the reader; the page that they are on is kept for the way back. */
export const confirmWithProvider = async () => {
  const { address } = await request("POST /session/oidc/confirmation");
  sessionStorage.setItem(PLACE, location.pathname + location.search);
  location.assign(address);
};
/** The page on which the reader was who went to confirm; empty if nobody did. It is told once. */
export const takePlace = () => {
  const place = sessionStorage.getItem(PLACE) ?? "";
  sessionStorage.removeItem(PLACE);
  return place;
};
export const unlinkProvider = () => request("DELETE /account/oidc");
/** @param {string} code @param {string} state */
export const finishSignIn = (code, state) => request("POST /session/oidc", {}, { code, state }).then(keepToken);
/** Create an account for who has signed in at the provider. @param {string} player its name */
export const claimNameWithProvider = async (player) => {
  const invitation = sessionStorage.getItem(INVITATION) || undefined;
  return keepNewCodes(keepToken(await request("POST /account/oidc", {}, { player, invitation })));
};
