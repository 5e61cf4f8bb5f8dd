export interface InputLimits {
  maxBytes: number
  /** Pixels of one picture; of an animation, those of all its frames together. */
  maxInputPixels: number
}

export interface ImageLimits extends InputLimits {
  /** Pixels of what is kept, of one frame in an animation. */
  maxStoredPixels: number
  maxPreviewPixels: number
}

/** Mastodon's limits; clients read them from the instance. */
export const imageLimits: ImageLimits = {
  maxBytes: 16 * 1_048_576,
  maxInputPixels: 33_177_600,
  maxStoredPixels: 8_294_400,
  maxPreviewPixels: 230_400,
}

/** The size of a GIF's canvas is limited further: its frames are decoded one upon the other. */
export const MAX_GIF_PIXELS = 921_600

export const profileImageMaxBytes = 8 * 1_048_576

/** Just below 256 KiB: other servers take no more. */
export const emojiMaxBytes = 256 * 1_024 - 1
