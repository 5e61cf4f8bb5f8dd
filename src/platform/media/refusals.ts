import { Unprocessable } from '../../lib/errors.ts'

/** 422: by its content the file is of no kind that we take, whatever its name says. */
export class UnsupportedMedia extends Unprocessable {
  constructor() {
    super('File type of uploaded media could not be verified')
  }
}

export type MediaFault = 'too-large' | 'too-many-pixels' | 'too-many-frames' | 'damaged'

/** 422: of a kind that we take, but too large, or not readable to its end. */
export class MediaUnprocessable extends Unprocessable {
  readonly fault: MediaFault

  constructor({ fault, text, cause }: { fault: MediaFault; text: string; cause?: unknown }) {
    super(`Validation failed: File ${text}`)
    this.fault = fault
    this.cause = cause
  }
}
