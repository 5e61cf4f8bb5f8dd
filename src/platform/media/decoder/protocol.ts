import type { ImageLimits } from '../images/image-limits.ts'
import type { MediaFault } from '../media-errors.ts'
import type { Rendition } from '../images/rendition.ts'

/** A request to a decoder process. `path` null: the `byteSize` bytes of the file follow. */
export type DecoderRequest = { path: string | null; byteSize: number } & DecoderTask

export type DecoderTask =
  | { make: 'header' | 'check' | 'preview' | 'avatar' | 'profile header' | 'thumbnail' | 'site icon' }
  | { make: 'emoji'; maxBytes: number }
  | { make: 'image'; limits?: Partial<ImageLimits> | undefined }

/** The response of a decoder process. The bytes of the images follow, with the lengths in `byteSizes`. */
export type DecoderResponse =
  | { made: unknown; byteSizes: number[] }
  | { unsupported: string }
  | { unprocessable: { fault: MediaFault; text: string } }
  | { broken: string }

/** Maximum length of the JSON line of a request or response. */
export const MAX_LINE_BYTES = 16_384

/** Replaces the buffers of a result by indexes, so that it can be serialized as JSON. */
export function extractBuffers(made: object): { made: object; buffers: Buffer[] } {
  const buffers: Buffer[] = []
  const entries = Object.entries(made).map(([key, value]: [string, unknown]) => {
    if (!isRendition(value)) return [key, value]
    return [key, { ...value, buffer: buffers.push(value.buffer) - 1 }]
  })
  return { made: Object.fromEntries(entries) as object, buffers }
}

/** Reverses `extractBuffers`. */
export function restoreBuffers(made: object, buffers: readonly Buffer[]): object {
  const entries = Object.entries(made).map(([key, value]: [string, unknown]) => {
    const index: unknown = (value as { buffer?: unknown } | null)?.buffer
    return [key, typeof index === 'number' ? { ...(value as object), buffer: buffers[index] } : value]
  })
  return Object.fromEntries(entries) as object
}

function isRendition(value: unknown): value is Rendition {
  return Buffer.isBuffer((value as { buffer?: unknown } | null)?.buffer)
}
