import type { Background } from '../../platform/fetch/shares.ts'

/** Requests to other servers for which one delivered activity, or one search, may be the reason. */
const MAX_FETCHES = 60

/** Of those, for people who are only mentioned. */
const MAX_MENTIONS = 10

/** How far up a thread is followed. */
const MAX_DEPTH = 20

const MAX_SECONDS = 60

/** For one request. */
const MAX_REQUEST_SECONDS = 10

/** Thrown when the work that somebody else can cause has been done: what is left stays unknown. */
export class BudgetSpent extends Error {
  constructor() {
    super('No more is fetched for this')
    this.name = 'BudgetSpent'
  }
}

/** What one piece of work may still ask of others. It is shared by everything that the work leads to. */
export interface Budget {
  /** Counts a request. Gives how long it may take. @throws BudgetSpent */
  spend(): { timeoutMs: number }
  /** Counts somebody who would have to be fetched only because of a mention. */
  mayFetchMentioned(): boolean
  readonly maxDepth: number
  /** For work of jobs, which may be postponed. Absent: a user waits for it. */
  readonly background: Background | undefined
}

/** `sender`: on whose account a job does this work. */
export function createBudget({
  fetches = MAX_FETCHES,
  timeoutMs = MAX_SECONDS * 1000,
  maxDepth = MAX_DEPTH,
  sender,
}: { fetches?: number; timeoutMs?: number; maxDepth?: number; sender?: string } = {}): Budget {
  const until = performance.now() + timeoutMs
  let left = fetches
  let mentions = MAX_MENTIONS
  return {
    maxDepth,
    background: sender === undefined ? undefined : { sender },
    spend() {
      const leftMs = until - performance.now()
      if (left <= 0 || leftMs <= 0) throw new BudgetSpent()
      left -= 1
      return { timeoutMs: Math.ceil(Math.min(leftMs, MAX_REQUEST_SECONDS * 1000)) }
    },
    mayFetchMentioned() {
      mentions -= 1
      return mentions >= 0
    },
  }
}
