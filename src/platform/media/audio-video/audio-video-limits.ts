/** Mastodon's limits. Clients read them from `configuration.media_attachments` of the instance. */
export const audioVideoLimits = {
  maxBytes: 99 * 1_048_576,
  maxPixels: 8_294_400,
  maxFramesPerSecond: 120,
  maxFrames: 36_000,
}

/** Limit of animated GIFs. Lower than that of videos, because small files can have many frames. */
export const MAX_GIF_FRAMES = 3_000

/** Longer audio would have poor quality within the size limit, and longer videos are rare. */
export const MAX_DURATION_SECONDS = 6 * 3_600
