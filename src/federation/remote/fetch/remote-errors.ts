import { RequestError } from '../../../lib/errors.ts'
import { isRetryableConflict, isDatabaseUnreachable } from '../../../platform/db/connection.ts'
import { FetchFailedError, FetchRefusedError } from '../../../platform/fetch/fetch-errors.ts'
import { BudgetExceededError } from './budget.ts'

/** Thrown if a remote server returned something unacceptable, or must not be requested at all. A retry won't help. */
export class RemoteError extends Error {
  constructor(message: string) {
    super(message)
    this.name = new.target.name
  }
}

/** Thrown if a URL, or the target of a redirect, is one of this server. */
export class LocalUrlError extends RemoteError {
  readonly url: string

  constructor(url: string) {
    super(`${url} is on this server`)
    this.url = url
  }
}

/** Thrown if a remote server has nothing at a URL: not found (404), or gone for good (410 or a Tombstone). */
export class RemoteGoneError extends RemoteError {
  readonly url: string
  readonly isPermanent: boolean

  constructor(url: string, { isPermanent }: { isPermanent: boolean }) {
    super(`${url} does not exist`)
    this.url = url
    this.isPermanent = isPermanent
  }
}

/** Thrown if a remote server responds that it cannot serve the request at the moment. */
export class RemoteBusyError extends Error {
  constructor(url: string, status: number | string) {
    super(`${url} responded with ${status}`)
    this.name = 'RemoteBusyError'
  }
}

/** Returns whether a retry may succeed, because the network, a remote server or the database failed. */
export function isTemporary(err: unknown): boolean {
  return (
    err instanceof FetchFailedError ||
    err instanceof RemoteBusyError ||
    isRetryableConflict(err) ||
    isDatabaseUnreachable(err)
  )
}

/**
 * Returns whether an error is caused by remote input or an unavailable server rather than by a bug on this server.
 * `PostponedError` is not among them: it ends the whole job, so that nothing is skipped only because all fetch slots
 * were taken.
 */
export function isExpectedFailure(err: unknown): boolean {
  const kinds = [RemoteError, RequestError, FetchRefusedError, BudgetExceededError]
  return kinds.some((kind) => err instanceof kind) || isTemporary(err)
}
