import type { ImageLimits } from '../image-limits.ts'
import type { MediaFault } from '../refusals.ts'
import type { Rendition } from '../rendition.ts'

/** What the child that decodes is asked for. The file is named by its path, or its bytes follow. */
export type Order = { path: string | null; byteSize: number } & Task

export type Task =
  | { make: 'header' | 'check' | 'preview' | 'avatar' | 'profile header' }
  | { make: 'emoji'; maxBytes: number }
  | { make: 'image'; limits?: Partial<ImageLimits> | undefined }

/** What it says; the pictures' bytes follow, one after the other, as long as `byteSizes` says. */
export type Answer =
  | { made: unknown; byteSizes: number[] }
  | { unsupported: string }
  | { refused: { fault: MediaFault; text: string } }
  | { broken: string }

/** Longest line of either: there is nothing long in them. */
export const MAX_LINE_BYTES = 16_384

/** Takes the bytes out of what was made, so that the rest can be written as JSON. */
export function detach(made: object): { made: object; buffers: Buffer[] } {
  const buffers: Buffer[] = []
  const entries = Object.entries(made).map(([key, value]: [string, unknown]) => {
    if (!isRendition(value)) return [key, value]
    return [key, { ...value, buffer: buffers.push(value.buffer) - 1 }]
  })
  return { made: Object.fromEntries(entries) as object, buffers }
}

/** The opposite. */
export function attach(made: object, buffers: readonly Buffer[]): object {
  const entries = Object.entries(made).map(([key, value]: [string, unknown]) => {
    const place: unknown = (value as { buffer?: unknown } | null)?.buffer
    return [key, typeof place === 'number' ? { ...(value as object), buffer: buffers[place] } : value]
  })
  return Object.fromEntries(entries) as object
}

function isRendition(value: unknown): value is Rendition {
  return Buffer.isBuffer((value as { buffer?: unknown } | null)?.buffer)
}
