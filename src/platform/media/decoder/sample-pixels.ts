import { encode } from 'blurhash'
import { loadSharp } from './decode-image.ts'

const BLURHASH_COMPONENTS = 4
/** Side of the sample for the blurhash and the colours. More pixels would not change them. */
const SAMPLE_SIDE = 32

/** Returns the blurhash of an image that this server encoded. */
export async function computeBlurhash(image: Buffer): Promise<string> {
  return blurhashOf(await samplePixels(image))
}

/** Returns the blurhash of a sample. */
export function blurhashOf(sample: Uint8ClampedArray): string {
  return encode(sample, SAMPLE_SIDE, SAMPLE_SIDE, BLURHASH_COMPONENTS, BLURHASH_COMPONENTS)
}

/** Returns RGBA values of a reduced image. Transparent areas become white. */
export async function samplePixels(image: Buffer): Promise<Uint8ClampedArray> {
  const sharp = await loadSharp()
  const pixels = await sharp(image)
    .resize(SAMPLE_SIDE, SAMPLE_SIDE, { fit: 'fill' })
    .flatten({ background: '#ffffff' })
    .toColourspace('srgb')
    .ensureAlpha()
    .raw()
    .toBuffer()
  return new Uint8ClampedArray(pixels)
}
