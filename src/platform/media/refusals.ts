import { Unprocessable } from '../../lib/errors.ts'

/** 422: by its content the file is of no kind that we take, whatever its name says. */
export class UnsupportedMedia extends Unprocessable {
  constructor(text = 'File type of uploaded media could not be verified') {
    super(text)
  }
}

export type MediaFault = 'too-large' | 'too-many-pixels' | 'too-many-frames' | 'too-long' | 'damaged'

/** 422: of a kind that we take, but too large, or not readable to its end. */
export class MediaUnprocessable extends Unprocessable {
  readonly fault: MediaFault
  /** What is wrong, as it goes on after "File". */
  readonly text: string

  constructor({ fault, text, cause }: { fault: MediaFault; text: string; cause?: unknown }) {
    super(`Validation failed: File ${text}`)
    this.fault = fault
    this.text = text
    this.cause = cause
  }
}

export function refuseDamaged(cause?: unknown): MediaUnprocessable {
  return new MediaUnprocessable({ fault: 'damaged', text: 'is damaged or incomplete', cause })
}
