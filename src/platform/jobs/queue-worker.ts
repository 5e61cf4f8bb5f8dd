import { withTimeout } from '../../lib/async/with-timeout.ts'
import { describeError } from '../../lib/describe-error.ts'
import type { Db } from '../db/connection.ts'
import { statement } from '../db/statement.ts'
import type { Log } from '../log/log.ts'
import { reportFirstFailure } from '../log/report-first-failure.ts'
import { createJobRunner } from './create-job-runner.ts'
import type { Handlers, Job, JobBundles, JobResult } from './create-job-runner.ts'
import { createOutcomeRecorder } from './create-outcome-recorder.ts'
import type { JobSignals } from './job-signals.ts'
import { PermanentError } from './permanent-error.ts'
import type { QueueName } from './queues.ts'
import { returnUnknownJobs } from './return-jobs.ts'
import type { WorkerLock } from './worker-lock.ts'

/** How often a worker searches for jobs without a signal: delayed ones, and those whose signal was lost. */
const POLL_INTERVAL_MS = 1_000

/**
 * How long a worker waits after a search. Under load it waits longer, so that it fetches many jobs with one statement
 * and runs them together: five times as many jobs take a quarter less processor time each.
 */
const FETCH_INTERVAL_MS = 10
const BUSY_FETCH_INTERVAL_MS = 50

/** The same while the queue is slowed down: at least 1,000 jobs per second still start, in batches of 100. */
const SLOW_FETCH_INTERVAL_MS = 100

/** A queue whose jobs have waited longer is not slowed down, so that it does not fall behind under constant load. */
const MAX_SLOW_WAIT_SECONDS = 60

/** A search that finds as many jobs shows that there is load. */
const BUSY_JOBS = 4

/** Time limit for the return of jobs that did not end in time. Without it, other workers release them. */
const RETURN_SECONDS = 3

/** A longer error is truncated. */
const MAX_ERROR_LENGTH = 10_000

interface FetchedJob extends Job {
  /** How long it was due. */
  waitedSeconds: number
}

const fetchJobs = statement<{
  params: { queue: QueueName; names: readonly string[]; workerId: string; limit: number }
  row: FetchedJob
}>(
  `update jobs set locked_by = $workerId, locked_at = now(), attempts = attempts + 1, waiting_key = null
   where id = any(array(
     select id from jobs
     where queue = $queue and has_attempts and run_at <= now() and locked_by is null and name = any($names)
     order by run_at limit $limit for update skip locked
   ))
   returning id, name, payload, attempts, max_attempts as "maxAttempts",
     extract(epoch from now() - run_at)::double precision as "waitedSeconds" /* worker */`,
)

export interface QueueOptions {
  handlers: Handlers
  bundles?: JobBundles
  /** How many handlers run at the same time. */
  concurrency: number
  /** How many jobs are fetched with one statement. Some of them wait in the worker while the others run. */
  batchSize: number
  /** Whether this process has more urgent work than many jobs of this queue, which may wait a minute for it. */
  isSlowedDown?: () => boolean
}

/** Runs the jobs of one queue until stopped. Each search for jobs begins when a handler can start. */
export function startQueueWorker(
  db: Db,
  {
    queue,
    workerId,
    lock,
    signals,
    log,
    stopSeconds,
    batchSize,
    isSlowedDown = () => false,
    ...runnerOptions
  }: QueueOptions & {
    queue: QueueName
    workerId: string
    lock: WorkerLock
    signals: JobSignals
    log: Log
    stopSeconds: number
  },
): { stop(): Promise<void> } {
  const runner = createJobRunner({ ...runnerOptions, log })
  /** The ids of the fetched jobs whose outcome is not recorded yet. */
  const known = new Set<string>()
  /** The ids of those among them that have no outcome yet. */
  const unfinished = new Set<string>()
  const running = new Set<Promise<void>>()
  const outcomes = createOutcomeRecorder(db, {
    workerId,
    log,
    onRecorded: (ids) => ids.forEach((id) => known.delete(id)),
    onFailure: () => (hasUnknownJobs = true),
  })
  /** Whether a statement failed that may have locked jobs for this worker, or left them locked. */
  let hasUnknownJobs = false
  const report = reportFirstFailure(log, `Jobs of the queue ${queue} could not be fetched`, {
    recovery: `Jobs of the queue ${queue} are fetched again`,
  })
  /** Whether there may be jobs that no search has found yet. */
  let isSearchDue = false
  let isStopping = false
  let search: Promise<void> | null = null
  let nextSearchAt = 0
  let searchTimer: NodeJS.Timeout | undefined

  const wake = (): boolean => {
    isSearchDue = true
    searchSoon()
    return runner.isFree
  }
  const removeFromSignals = signals.addWorker(queue, wake)
  const pollTimer = setInterval(wake, POLL_INTERVAL_MS)
  wake()

  function searchSoon(): void {
    if (!isSearchDue || isStopping || search || searchTimer || !runner.isFree || !lock.isHeld) return
    const delayMs = nextSearchAt - performance.now()
    if (delayMs > 0) {
      searchTimer = setTimeout(() => {
        searchTimer = undefined
        searchSoon()
      }, delayMs)
      return
    }
    isSearchDue = false
    search = searchOnce().finally(() => {
      search = null
      searchSoon()
    })
  }

  async function searchOnce(): Promise<void> {
    try {
      if (hasUnknownJobs) await returnUnknownJobs(db, { queue, workerId, known: [...known] })
      hasUnknownJobs = false
      const jobs = await fetchJobs(db, { queue, names: runner.names, workerId, limit: batchSize })
      report.succeeded()
      if (jobs.length === batchSize) isSearchDue = true
      nextSearchAt = performance.now() + intervalAfter(jobs)
      start(jobs)
    } catch (err) {
      hasUnknownJobs = true
      report.failed(err)
    }
  }

  /** Returns how long to wait after a search that found these jobs, in milliseconds. */
  function intervalAfter(found: readonly FetchedJob[]): number {
    if (found.length < BUSY_JOBS) return FETCH_INTERVAL_MS
    const isLate = found.some(({ waitedSeconds }) => waitedSeconds > MAX_SLOW_WAIT_SECONDS)
    if (!isLate && isSlowedDown()) return SLOW_FETCH_INTERVAL_MS
    return found.length === batchSize ? 0 : BUSY_FETCH_INTERVAL_MS
  }

  function start(jobs: readonly Job[]): void {
    for (const { id } of jobs) {
      known.add(id)
      unfinished.add(id)
    }
    for (const group of runner.group(jobs)) {
      const run = runner.run(group).then((results) => {
        results.forEach((result, n) => record(group[n]!, result))
        running.delete(run)
        if (running.size === 0) void outcomes.flush()
        searchSoon()
      })
      running.add(run)
    }
  }

  function record({ id, name, attempts, maxAttempts }: Job, result: JobResult): void {
    unfinished.delete(id)
    if (result === 'completed') return outcomes.complete(id)
    if (result === 'not started') return outcomes.return({ id, started: false, error: null })
    const { error } = result
    const permanent = error instanceof PermanentError
    const logged = { effect: name, job: id, err: error }
    // A warning, which is logged without a stack trace: the cause is not in this program.
    if (permanent) log.warn(logged, 'Job is dead: it would fail again')
    else if (attempts >= maxAttempts) log.error(logged, 'Job is dead: no attempts left')
    outcomes.return({ id, started: true, error: errorTextOf(error), permanent })
  }

  async function finish(): Promise<void> {
    await search
    await Promise.all(running)
    await outcomes.flush()
  }

  return {
    async stop() {
      isStopping = true
      clearInterval(pollTimer)
      clearTimeout(searchTimer)
      removeFromSignals()
      runner.stop()
      try {
        await withTimeout(stopSeconds, finish())
      } catch (err) {
        log.warn({ err, queue }, 'The worker did not stop cleanly; its running jobs return to the queue')
        for (const id of unfinished) outcomes.return({ id, started: true, error: null })
        await withTimeout(RETURN_SECONDS, outcomes.flush())
      }
    },
  }
}

/** Returns the message of an error, in a form that PostgreSQL can store. */
function errorTextOf(error: unknown): string {
  return describeError(error).slice(0, MAX_ERROR_LENGTH).toWellFormed().replaceAll('\0', '')
}
