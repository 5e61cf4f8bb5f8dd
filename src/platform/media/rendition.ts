import type { Dimensions } from './fit-area.ts'

/** A picture encoded by us: upright, in sRGB, with no metadata. */
export interface Rendition extends Dimensions {
  buffer: Buffer
  contentType: string
  /** Without the dot. */
  extension: string
}

export interface ImageSize extends Dimensions {
  /** Such as `640x480`. */
  size: string
  /** Width by height. */
  aspect: number
}

/** As `#rrggbb`. */
export interface Colours {
  background: string
  foreground: string
  accent: string
}

export interface ProcessedImage {
  /** Keeps the frames of an animated GIF or WebP; its dimensions are those of one frame. */
  original: Rendition
  /** Stands still. */
  small: Rendition
  blurhash: string
  /** What goes with it on a page. */
  colours: Colours
  meta: { original: ImageSize; small: ImageSize }
}

/** A small picture that may move. */
export interface ProcessedIcon {
  /** Keeps the frames of an animated GIF or WebP. */
  original: Rendition
  /** The first frame as PNG; null where the original stands still itself. */
  static: Rendition | null
}

export function sizeOf({ width, height }: Dimensions): ImageSize {
  return { width, height, size: `${width}x${height}`, aspect: width / height }
}
