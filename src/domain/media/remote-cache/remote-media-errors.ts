import { BadGatewayError } from '../../../lib/errors.ts'

/**
 * 502: the remote server sent a file of a type or size that is not accepted. A later retry would probably get the same.
 */
export class UnacceptableMediaError extends BadGatewayError {
  constructor(cause: unknown) {
    super()
    this.cause = cause
  }
}

/** 502: the host failed recently, or has used up its share of the cache for this hour. Not recorded as a failure. */
export class HostBackoffError extends BadGatewayError {}
