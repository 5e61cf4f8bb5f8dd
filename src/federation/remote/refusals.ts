import { Refusal } from '../../lib/errors.ts'
import { isTransient, isUnreachable } from '../../platform/db/connect.ts'
import { FetchFailed, FetchRefused } from '../../platform/fetch/refusals.ts'
import { BudgetSpent } from './budget.ts'

/** Thrown for what another server gave, or would have to give, and can't be taken from it. Asking again won't help. */
export class RemoteRefusal extends Error {
  constructor(message: string) {
    super(message)
    this.name = new.target.name
  }
}

/** Thrown when the other server says that there is nothing: for now (404) or for ever (410). */
export class RemoteGone extends RemoteRefusal {
  readonly url: string
  readonly forEver: boolean

  constructor(url: string, { forEver }: { forEver: boolean }) {
    super(`There is nothing at ${url}`)
    this.url = url
    this.forEver = forEver
  }
}

/** Thrown when the other server answers that it can't answer now. */
export class RemoteBusy extends Error {
  constructor(url: string, status: number | string) {
    super(`${url} answered ${status}`)
    this.name = 'RemoteBusy'
  }
}

/** Whether the same work may succeed later: the reason lies in a network, a server or our database, not in what it is. */
export function isPassing(err: unknown): boolean {
  return err instanceof FetchFailed || err instanceof RemoteBusy || isTransient(err) || isUnreachable(err)
}

/**
 * Whether an error is an answer to what somebody else sent, and no mistake of ours: it was refused, or can't be had.
 * `Postponed` is none of them: it ends the whole job, so that nothing is left out only because there was no place.
 */
export function isForeseen(err: unknown): boolean {
  const kinds = [RemoteRefusal, Refusal, FetchRefused, BudgetSpent]
  return kinds.some((kind) => err instanceof kind) || isPassing(err)
}
