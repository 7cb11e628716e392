/** Tests of the shape of data that was read from JSON. */

/** @typedef {(value: any) => boolean} Test */

/** @type {Test} */
export const isText = (value) => typeof value === "string";
/** @type {Test} */
export const isDigest = (value) => isText(value) && /^[0-9a-f]{64}$/.test(value);
/** @type {Test} */
export const isInteger = (value) => Number.isSafeInteger(value);
/** @type {Test} */
export const isMap = (value) => value !== null && typeof value === "object" && !Array.isArray(value);
/** @type {(test: Test) => Test} */
export const listOf = (test) => (value) => Array.isArray(value) && value.every(test);
/** @type {(test: Test) => Test} */
export const mapOf = (test) => (value) => isMap(value) && Object.values(value).every(test);
/** @type {(fields: Record<string, Test>) => Test} */
export const atLeast = (fields) => (value) => isMap(value) && Object.keys(fields).every((key) => Object.hasOwn(value, key) && fields[key](value[key]));
/** @type {(fields: Record<string, Test>) => Test} */
export const exactly = (fields) => (value) => atLeast(fields)(value) && Object.keys(value).length === Object.keys(fields).length;
/** @type {(optional: Record<string, Test>, required: Record<string, Test>) => Test} */
export const exactlyWith = (optional, required) => (value) => isMap(value)
  && exactly({ ...required, ...Object.fromEntries(Object.entries(optional).filter(([key]) => Object.hasOwn(value, key))) })(value);
/** @type {(test: Test) => Test} */
export const orNull = (test) => (value) => value === null || test(value);
