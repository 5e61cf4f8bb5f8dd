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

/**
 * Does work with an uploaded image.
 * @throws UnprocessableError for an error of the image, whose `details` name the parameter; other errors of the work
 */
export async function nameImageParameter<Result>(parameter: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (err) {
    if (!(err instanceof UnsupportedMediaError || err instanceof UnprocessableMediaError)) throw err
    const description = err instanceof UnprocessableMediaError ? `File ${err.text}` : err.message
    const details = { [parameter]: [{ error: 'ERR_INVALID', description }] }
    throw new UnprocessableError(err.message, { details })
  }
}

export function damagedMediaError(cause?: unknown): UnprocessableMediaError {
  return new UnprocessableMediaError({ fault: 'damaged', text: 'is damaged or incomplete', cause })
}
