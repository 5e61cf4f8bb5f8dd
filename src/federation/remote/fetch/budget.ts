import type { BackgroundRequest } from '../../../platform/fetch/fetch-limiter.ts'

/** The requests to remote servers that one delivered activity, or one search, may cause. */
const MAX_FETCHES = 60

/** The number of unknown mentioned accounts that may be fetched. */
const MAX_MENTIONS = 10

/** The number of ancestors that are fetched. */
const MAX_DEPTH = 20

const MAX_SECONDS = 60

/** The timeout of one request. */
const MAX_REQUEST_SECONDS = 10

/** Thrown when the work that a remote server may cause is used up; the remaining objects stay unknown. */
export class BudgetExceededError extends Error {
  constructor() {
    super('The fetch budget is used up')
    this.name = 'BudgetExceededError'
  }
}

/** The requests that one piece of work may still make, shared by everything that it causes. */
export interface FetchBudget {
  /** Counts a request and returns its timeout. @throws BudgetExceededError */
  spend(): { timeoutMs: number }
  /** Counts an unknown account that would be fetched only because of a mention. Returns whether it may be. */
  mayFetchMentioned(): boolean
  readonly maxDepth: number
  /** Set for jobs, which may be postponed; absent if a user waits for the response. */
  readonly background: BackgroundRequest | undefined
}

/** Creates a budget. `sender`: the host or queue to which the fetch limiter attributes the work of a job. */
export function createBudget({
  fetches = MAX_FETCHES,
  timeoutMs = MAX_SECONDS * 1000,
  maxDepth = MAX_DEPTH,
  sender,
}: { fetches?: number; timeoutMs?: number; maxDepth?: number; sender?: string } = {}): FetchBudget {
  const deadline = performance.now() + timeoutMs
  let remainingFetches = fetches
  let mentions = MAX_MENTIONS
  return {
    maxDepth,
    background: sender === undefined ? undefined : { sender },
    spend() {
      const remainingMs = deadline - performance.now()
      if (remainingFetches <= 0 || remainingMs <= 0) throw new BudgetExceededError()
      remainingFetches -= 1
      return { timeoutMs: Math.ceil(Math.min(remainingMs, MAX_REQUEST_SECONDS * 1000)) }
    },
    mayFetchMentioned() {
      mentions -= 1
      return mentions >= 0
    },
  }
}
