import { decode, isBlurhashValid } from 'blurhash'

const WIDTH = 24
const HEIGHT = 16
const HEADER_BYTES = 54

/** Returns a blurhash as a tiny image in a `data:` URL, which the page enlarges; null for an invalid blurhash. */
export function blurredPicture(blurhash: string | null | undefined): string | null {
  if (!blurhash || !isBlurhashValid(blurhash).result) return null
  const pixels = decode(blurhash, WIDTH, HEIGHT)
  // An uncompressed bitmap with 24 bits per pixel. Rows have a multiple of four bytes; the negative height means
  // top-down.
  const file = Buffer.alloc(HEADER_BYTES + WIDTH * HEIGHT * 3)
  file.write('BM')
  file.writeUInt32LE(file.length, 2)
  file.writeUInt32LE(HEADER_BYTES, 10)
  file.writeUInt32LE(40, 14)
  file.writeInt32LE(WIDTH, 18)
  file.writeInt32LE(-HEIGHT, 22)
  file.writeUInt16LE(1, 26)
  file.writeUInt16LE(24, 28)
  for (let pixel = 0; pixel < WIDTH * HEIGHT; pixel++) {
    const [red = 0, green = 0, blue = 0] = pixels.subarray(pixel * 4, pixel * 4 + 3)
    file.set([blue, green, red], HEADER_BYTES + pixel * 3)
  }
  return `data:image/bmp;base64,${file.toString('base64')}`
}
