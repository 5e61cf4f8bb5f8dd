import type { Sharp } from 'sharp'
import type { ImageFormat } from '../probe.ts'
import type { Rendition } from '../rendition.ts'

type StoredFormat = Exclude<ImageFormat, 'avif'>

const types = {
  jpeg: { contentType: 'image/jpeg', extension: 'jpg' },
  png: { contentType: 'image/png', extension: 'png' },
  gif: { contentType: 'image/gif', extension: 'gif' },
  webp: { contentType: 'image/webp', extension: 'webp' },
}

/** Every client shows these four; AVIF, which some do not, becomes JPEG. */
export function storedFormat(format: ImageFormat): StoredFormat {
  return format === 'avif' ? 'jpeg' : format
}

/** As `storedFormat`, for a picture that stands still. */
export function stillFormat(format: ImageFormat): StoredFormat {
  return format === 'gif' ? 'png' : storedFormat(format)
}

/** Encodes what comes out of the pipeline. The height of an animation is that of one frame. */
export async function encodeRendition(pipeline: Sharp, { format }: { format: StoredFormat }): Promise<Rendition> {
  const { data, info } = await withEncoder(pipeline, format).toBuffer({ resolveWithObject: true })
  return { buffer: data, width: info.width, height: info.pageHeight ?? info.height, ...types[format] }
}

function withEncoder(pipeline: Sharp, format: StoredFormat): Sharp {
  // Optimal code tables need the whole picture in memory: 40 MB and a third more time at 12 megapixels, to save 3 %.
  if (format === 'jpeg') return pipeline.flatten({ background: '#ffffff' }).jpeg({ quality: 90, optimiseCoding: false })
  if (format === 'webp') return pipeline.webp({ quality: 90 })
  return format === 'png' ? pipeline.png() : pipeline.gif()
}
