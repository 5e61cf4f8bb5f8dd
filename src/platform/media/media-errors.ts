import { UnprocessableError } from '../../lib/errors.ts'

/** 422: the content of the file is of an unsupported type. */
export class UnsupportedMediaError extends UnprocessableError {
  constructor(text = 'File type of uploaded media could not be verified') {
    super(text)
  }
}

export type MediaFault = 'too-large' | 'too-many-pixels' | 'too-many-frames' | 'too-long' | 'damaged'

/** 422: the type of the file is supported, but it is too large, damaged or incomplete. */
export class UnprocessableMediaError extends UnprocessableError {
  readonly fault: MediaFault
  /** The problem, as the continuation of a sentence that begins with "File". */
  readonly text: string

  constructor({ fault, text, cause }: { fault: MediaFault; text: string; cause?: unknown }) {
    super(`Validation failed: File ${text}`)
    this.fault = fault
    this.text = text
    this.cause = cause
  }
}

export function damagedMediaError(cause?: unknown): UnprocessableMediaError {
  return new UnprocessableMediaError({ fault: 'damaged', text: 'is damaged or incomplete', cause })
}
