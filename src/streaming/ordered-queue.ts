import { setTimeout as sleep } from 'node:timers/promises'
import { isDatabaseUnreachable } from '../platform/db/connection.ts'
import type { Log } from '../platform/log/log.ts'

/** The number of events that are prepared concurrently; each briefly uses a database connection. */
const CONCURRENCY = 4

/** The maximum number of queued events. Further ones are dropped; clients can catch up by the timelines. */
const MAX_QUEUED = 10_000

/** While the database is unreachable, as during its restart, an event is prepared again after this pause. */
const RETRY_DELAY_MS = 250

/** How long events wait while the database is unreachable. Then, those that are queued are dropped. */
const MAX_WAIT_MS = 30_000

/** A full disk or memory (class 53 of SQLSTATE) lasts longer than a restart, and would delay the other events. */
const OUT_OF_RESOURCES = /^53[12]/

/** Prepares an event, and returns a function that sends it. May be called again after a failure. */
export type PrepareEvent = () => Promise<() => void>

/** A queue of events: several are prepared concurrently, but they are sent in the order of their arrival. */
export class OrderedQueue {
  readonly #log: Log
  #queued: PrepareEvent[] = []
  #busy = false
  #full = false
  #closing = false
  #unreachableSince: number | null = null
  #done: Promise<void> = Promise.resolve()

  constructor({ log }: { log: Log }) {
    this.#log = log
  }

  /** Adds an event; returns false if it is dropped because the queue is full. */
  add(prepare: PrepareEvent): boolean {
    if (this.#queued.length >= MAX_QUEUED) {
      if (!this.#full) this.#log.warn({}, 'The streaming queue is full: events are dropped')
      this.#full = true
      return false
    }
    this.#queued.push(prepare)
    if (!this.#busy) {
      this.#busy = true
      this.#done = this.#run()
    }
    return true
  }

  /** Discards queued events, and resolves once the events in progress are sent. */
  async close(): Promise<void> {
    this.#closing = true
    this.#queued = []
    await this.#done
  }

  async #run(): Promise<void> {
    // Lets events that arrive in the same tick join the first round.
    await new Promise((resolve) => setImmediate(resolve))
    while (this.#queued.length > 0) {
      const round = this.#queued.splice(0, CONCURRENCY)
      const prepared = await Promise.allSettled(round.map(async (prepare) => this.#prepare(prepare)))
      for (const one of prepared) this.#send(one)
    }
    this.#busy = false
    this.#full = false
    this.#unreachableSince = null
  }

  async #prepare(prepare: PrepareEvent): Promise<() => void> {
    for (;;) {
      try {
        const send = await prepare()
        this.#unreachableSince = null
        return send
      } catch (err) {
        if (this.#closing || !isTemporary(err)) throw err
        this.#unreachableSince ??= performance.now()
        if (performance.now() - this.#unreachableSince > MAX_WAIT_MS) throw err
      }
      await sleep(RETRY_DELAY_MS)
    }
  }

  #send(prepared: PromiseSettledResult<() => void>): void {
    try {
      if (prepared.status === 'rejected') throw prepared.reason
      prepared.value()
    } catch (err) {
      this.#log.warn({ err }, 'A stream event could not be delivered')
    }
  }
}

function isTemporary(err: unknown): boolean {
  return isDatabaseUnreachable(err) && !OUT_OF_RESOURCES.test(String((err as { code?: unknown }).code))
}
