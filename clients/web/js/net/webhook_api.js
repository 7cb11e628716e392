/**
 * The requests about webhooks, which only hosts may send.
 *
 * @import { NewWebhook } from "wire"
 */
import { request } from "./api.js";

export const listWebhooks = () => request("GET /house/webhooks").then(({ webhooks }) => webhooks);
/** @param {NewWebhook} webhook */
export const addWebhook = (webhook) => request("POST /house/webhooks", {}, webhook);
/** @param {string} id */
export const removeWebhook = (id) => request("DELETE /house/webhooks/{id}", { id }).then(({ webhooks }) => webhooks);
/** @param {string} id */
export const listDeliveries = (id) => request("GET /house/webhooks/{id}/deliveries", { id }).then(({ deliveries }) => deliveries);
/** @param {string} id */
export const tryWebhook = (id) => request("POST /house/webhooks/{id}/deliveries", { id }).then(({ deliveries }) => deliveries);
