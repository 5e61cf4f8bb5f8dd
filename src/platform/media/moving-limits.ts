/** Mastodon's limits; clients read them from the instance. */
export const movingLimits = {
  maxBytes: 99 * 1_048_576,
  maxPixels: 8_294_400,
  maxFramesPerSecond: 120,
  maxFrames: 36_000,
}

/** Of an animated GIF, which has no sound and whose frames are cheap to write. */
export const MAX_GIF_FRAMES = 3_000

/** Longer sounds would sound bad within the bytes that are kept of them, and longer films are hardly any. */
export const MAX_SECONDS = 6 * 3_600
