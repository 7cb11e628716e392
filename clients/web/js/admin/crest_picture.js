/** A picture from the host's machine, made small enough to be a crest. */

/** Pixels of a side. */
const SIDE = 128;

/**
 * A picture file as a square PNG in base64, whatever its size and format. Throws if the browser cannot read it.
 * @param {File} file
 * @returns {Promise<string>}
 */
export async function asCrest(file) {
  const picture = await createImageBitmap(file);
  const canvas = document.createElement("canvas");
  canvas.width = SIDE;
  canvas.height = SIDE;
  const scale = SIDE / Math.max(picture.width, picture.height);
  const [width, height] = [picture.width * scale, picture.height * scale];
  canvas.getContext("2d")?.drawImage(picture, (SIDE - width) / 2, (SIDE - height) / 2, width, height);
  return canvas.toDataURL("image/png").replace(/^.*,/, "");
}
