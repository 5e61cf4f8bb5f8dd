export interface InputLimits {
  maxBytes: number
  /** Pixels of an image. For an animation, those of all frames together. */
  maxInputPixels: number
}

export interface ImageLimits extends InputLimits {
  /** Pixels of the stored image. For an animation, those of one frame. */
  maxStoredPixels: number
  maxPreviewPixels: number
}

/** Mastodon's limits. Clients read them from `configuration.media_attachments` of the instance. */
export const imageLimits: ImageLimits = {
  maxBytes: 16 * 1_048_576,
  maxInputPixels: 33_177_600,
  maxStoredPixels: 8_294_400,
  maxPreviewPixels: 230_400,
}

/** Limit of the canvas of a GIF, which is lower because its frames are decoded one onto the other. */
export const MAX_GIF_PIXELS = 921_600

export const profileImageMaxBytes = 8 * 1_048_576

/** Just below 256 KiB, the limit of other servers. */
export const emojiMaxBytes = 256 * 1_024 - 1
