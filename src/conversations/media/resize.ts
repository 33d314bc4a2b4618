/**
 * Resizes images in plain JavaScript, so that untrusted files are decoded by memory-safe code. The number of pixels is
 * limited before decoding.
 */
import jpeg from 'jpeg-js'
import { PNG } from 'pngjs'

export interface Bitmap {
  width: number
  height: number
  /** Four bytes for each pixel. */
  data: Uint8Array
}

const maxPixels = 16_000_000
const thumbnailEdge = 320
const pictureEdge = 256
const quality = 78

/** A thumbnail shows the whole image, a picture the square in its middle. */
export type Shape = 'thumbnail' | 'picture'

/** Returns undefined for images that cannot or should not be decoded. */
export function resizeImage(bytes: Buffer, mimeType: string, shape: Shape = 'thumbnail'): Buffer | undefined {
  const picture = mimeType === 'image/png' ? decodePng(bytes) : decodeJpeg(bytes)
  if (!picture) return undefined
  const small =
    shape === 'picture' ? scale(cropToSquare(picture), pictureEdge) : scale(picture, thumbnailEdge)
  const rotated = mimeType === 'image/jpeg' ? rotate(small, readOrientation(bytes)) : small
  return jpeg.encode({ ...rotated, data: Buffer.from(rotated.data) }, quality).data
}

/** Skips interlaced images, which can be inflated without bound. */
function decodePng(bytes: Buffer): Bitmap | undefined {
  if (bytes.length < 33) return undefined
  const [width, height, interlaced] = [bytes.readUInt32BE(16), bytes.readUInt32BE(20), bytes[28]]
  if (width * height > maxPixels || interlaced !== 0) return undefined
  return PNG.sync.read(bytes)
}

function decodeJpeg(bytes: Buffer): Bitmap {
  return jpeg.decode(bytes, { useTArray: true, maxResolutionInMP: maxPixels / 1e6, maxMemoryUsageInMB: 640 })
}

function cropToSquare({ width, height, data }: Bitmap): Bitmap {
  const edge = Math.min(width, height)
  const [left, top] = [Math.floor((width - edge) / 2), Math.floor((height - edge) / 2)]
  const out = new Uint8Array(edge * edge * 4)
  for (let y = 0; y < edge; y++) {
    const from = ((y + top) * width + left) * 4
    out.set(data.subarray(from, from + edge * 4), y * edge * 4)
  }
  return { width: edge, height: edge, data: out }
}

/** Each new pixel is the mean of the pixels it replaces, on a white background. */
function scale({ width, height, data }: Bitmap, maxEdge: number): Bitmap {
  const factor = Math.min(1, maxEdge / Math.max(width, height))
  const [w, h] = [Math.max(1, Math.round(width * factor)), Math.max(1, Math.round(height * factor))]
  const out = new Uint8Array(w * h * 4)
  for (let y = 0; y < h; y++) {
    const [top, bottom] = span(y, h, height)
    for (let x = 0; x < w; x++) {
      const [left, right] = span(x, w, width)
      mean(data, width, { left, right, top, bottom }, out.subarray((y * w + x) * 4))
    }
  }
  return { width: w, height: h, data: out }
}

function span(at: number, count: number, size: number): [number, number] {
  const from = Math.floor((at * size) / count)
  return [from, Math.max(from + 1, Math.floor(((at + 1) * size) / count))]
}

interface Box {
  left: number
  right: number
  top: number
  bottom: number
}

function mean(data: Uint8Array, width: number, { left, right, top, bottom }: Box, into: Uint8Array): void {
  let [red, green, blue] = [0, 0, 0]
  for (let y = top; y < bottom; y++) {
    for (let i = (y * width + left) * 4; i < (y * width + right) * 4; i += 4) {
      const alpha = data[i + 3]!
      const white = 255 * (255 - alpha)
      red += data[i]! * alpha + white
      green += data[i + 1]! * alpha + white
      blue += data[i + 2]! * alpha + white
    }
  }
  const weight = (right - left) * (bottom - top) * 255
  into[0] = red / weight
  into[1] = green / weight
  into[2] = blue / weight
  into[3] = 255
}

/** Reads the EXIF orientation, 1 to 8; 1 without one. */
export function readOrientation(bytes: Buffer): number {
  const exif = bytes.subarray(0, 65_536).indexOf('Exif\0\0', 0, 'latin1')
  if (exif < 0) return 1
  const tiff = bytes.subarray(exif + 6, exif + 6 + 65_536)
  const little = tiff.toString('latin1', 0, 2) === 'II'
  const short = (at: number) => (little ? tiff.readUInt16LE(at) : tiff.readUInt16BE(at))
  const long = (at: number) => (little ? tiff.readUInt32LE(at) : tiff.readUInt32BE(at))
  try {
    const directory = long(4)
    for (let i = 0; i < short(directory); i++) {
      const entry = directory + 2 + i * 12
      if (short(entry) === 0x0112) return short(entry + 8)
    }
  } catch {
    // Truncated or invalid EXIF data.
  }
  return 1
}

function rotate(picture: Bitmap, orientation: number): Bitmap {
  if (orientation < 2 || orientation > 8) return picture
  const { width, height, data } = picture
  const swapped = orientation >= 5
  const [w, h] = swapped ? [height, width] : [width, height]
  const out = new Uint8Array(data.length)
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const [right, down] = [width - 1 - x, height - 1 - y]
      const [toX, toY] = (
        [
          [right, y],
          [right, down],
          [x, down],
          [y, x],
          [down, x],
          [down, right],
          [y, right],
        ] as const
      )[orientation - 2]!
      out.set(data.subarray((y * width + x) * 4, (y * width + x) * 4 + 4), (toY * w + toX) * 4)
    }
  }
  return { width: w, height: h, data: out }
}
