// The text of a QR code in a picture. What reads it is fetched when it is first needed.

/** Larger pictures are made smaller first: of a photo of a screen nothing is lost by that. */
const MAX_SIDE = 1_600;

/** Nothing if there is none to be found in so many milliseconds. */
export async function readQr(picture: ImageBitmap | HTMLVideoElement, milliseconds: number): Promise<string | undefined> {
  const { decodeQR } = await import("qr/decode.js");
  const [width, height] = "videoWidth" in picture ? [picture.videoWidth, picture.videoHeight] : [picture.width, picture.height];
  if (width === 0 || height === 0) return undefined;
  const scale = Math.min(1, MAX_SIDE / Math.max(width, height));
  const canvas = document.createElement("canvas");
  canvas.width = Math.round(width * scale);
  canvas.height = Math.round(height * scale);
  const context = canvas.getContext("2d", { willReadFrequently: true });
  if (!context) return undefined;
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  const { data } = context.getImageData(0, 0, canvas.width, canvas.height);
  try {
    return decodeQR({ width: canvas.width, height: canvas.height, data }, { timeLimit: milliseconds });
  } catch {
    return undefined;
  }
}
