import type { Dimensions } from './fit-area.ts'

/** An image that this server encoded: rotated, in sRGB, without metadata. */
export interface Rendition extends Dimensions {
  buffer: Buffer
  contentType: string
  /** Without the dot. */
  extension: string
}

export interface ImageSize extends Dimensions {
  /** For example `640x480`. */
  size: string
  /** Width divided by height. */
  aspect: number
}

/** Colours as `#rrggbb`. */
export interface Colours {
  background: string
  foreground: string
  accent: string
}

export interface ProcessedImage {
  /** Has all frames of an animated GIF or WebP. Its dimensions are those of one frame. */
  original: Rendition
  /** The static preview. */
  small: Rendition
  blurhash: string
  /** Colours for the area around the image. */
  colours: Colours
  meta: { original: ImageSize; small: ImageSize }
}

/** A small image that may be animated. */
export interface ProcessedIcon {
  /** Has all frames of an animated GIF or WebP. */
  original: Rendition
  /** The first frame as PNG. Null if the original is static. */
  static: Rendition | null
}

/** The image that represents the server, without animation. */
export interface ProcessedThumbnail {
  normal: Rendition
  /** In twice the size. Null if the uploaded image is too small. */
  large: Rendition | null
  blurhash: string
}

/** The sides of the icon of the server, in pixels. */
export const SITE_ICON_SIDES = { small: 48, medium: 192, large: 512 } as const

/** The icon of the server: squares with the sides of `SITE_ICON_SIDES`. */
export interface ProcessedSiteIcon {
  small: Rendition
  medium: Rendition
  large: Rendition
}

export function imageSizeOf({ width, height }: Dimensions): ImageSize {
  return { width, height, size: `${width}x${height}`, aspect: width / height }
}
