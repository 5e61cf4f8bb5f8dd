import type { Log } from '../platform/log.ts'

/** So many are prepared at once; each takes a connection to the database for a moment. */
const AT_ONCE = 4

/** More than this can't wait: who listens catches up by the timelines. */
const MAX_WAITING = 10_000

/** Finds out what is to be sent, and returns the sending. */
export type Prepare = () => Promise<() => void>

/** News in the order in which they came: several are prepared at a time, and they are sent one after the other. */
export class Line {
  readonly #log: Log
  #waiting: Prepare[] = []
  #busy = false
  #full = false
  #done: Promise<void> = Promise.resolve()

  constructor({ log }: { log: Log }) {
    this.#log = log
  }

  /** Returns false for what is left out because too much waits already. */
  add(prepare: Prepare): boolean {
    if (this.#waiting.length >= MAX_WAITING) {
      if (!this.#full) this.#log.warn({}, 'the streams are too far behind: news are left out')
      this.#full = true
      return false
    }
    this.#waiting.push(prepare)
    if (!this.#busy) {
      this.#busy = true
      this.#done = this.#run()
    }
    return true
  }

  /** Forgets what waits, and resolves when nothing runs any more. */
  async close(): Promise<void> {
    this.#waiting = []
    await this.#done
  }

  async #run(): Promise<void> {
    // Whatever else has just come in joins the first round.
    await new Promise((resolve) => setImmediate(resolve))
    while (this.#waiting.length > 0) {
      const round = this.#waiting.splice(0, AT_ONCE)
      const prepared = await Promise.allSettled(round.map(async (prepare) => prepare()))
      for (const one of prepared) this.#send(one)
    }
    this.#busy = false
    this.#full = false
  }

  #send(prepared: PromiseSettledResult<() => void>): void {
    try {
      if (prepared.status === 'rejected') throw prepared.reason
      prepared.value()
    } catch (err) {
      this.#log.warn({ err }, 'news did not reach the streams')
    }
  }
}
