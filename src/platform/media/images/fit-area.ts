export interface Dimensions {
  width: number
  height: number
}

/** Returns the largest size with the same ratio and at most `maxPixels`. Never enlarges. Sides are at least 1. */
export function fitArea({ width, height }: Dimensions, { maxPixels }: { maxPixels: number }): Dimensions {
  if (width * height <= maxPixels) return { width, height }
  const scale = Math.sqrt(maxPixels / (width * height))
  const [shorter, longer] = width < height ? [width, height] : [height, width]
  const fittedShorter = Math.max(1, Math.floor(shorter * scale))
  const fittedLonger = Math.min(Math.floor(maxPixels / fittedShorter), Math.round((fittedShorter * longer) / shorter))
  return width < height
    ? { width: fittedShorter, height: fittedLonger }
    : { width: fittedLonger, height: fittedShorter }
}

/** Returns the largest size with the ratio of `frame` that an image covers without being enlarged, at most `frame`. */
export function largestCoverSize({ width, height }: Dimensions, frame: Dimensions): Dimensions {
  const scale = Math.min(1, width / frame.width, height / frame.height)
  const shrink = (length: number) => Math.max(1, Math.floor(length * scale))
  return { width: shrink(frame.width), height: shrink(frame.height) }
}
