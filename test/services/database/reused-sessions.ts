import { Client } from 'pg'
import type pg from 'pg'

/** What a pool passes to the constructor of its clients. */
type Options = pg.ClientConfig & { application_name?: string; options?: string }

/** Sessions of one database that no pool uses, by their settings. */
export class ReusedSessions {
  readonly #idle = new Map<string, pg.Client[]>()
  #isOpen = true

  /** The class of the clients of pools: it connects to an idle session, and `end` makes the session idle again. */
  readonly Client = createClientClass(this)

  /** The process ids of the idle sessions. */
  get pids(): number[] {
    return [...this.#idle.values()].flat().map((client) => internalsOf(client).processID)
  }

  take(key: string): pg.Client | undefined {
    const client = this.#idle.get(key)?.pop()
    client?.removeAllListeners()
    // A session may end before its pool listens. Its first statement fails then, and the pool opens another session.
    client?.on('error', () => undefined)
    return client
  }

  /** Returns false if the session cannot be used again. */
  add(key: string, client: pg.Client): boolean {
    if (!this.#isOpen) return false
    client.removeAllListeners()
    client.on('error', () => this.#remove(key, client))
    // Idle sessions do not keep the process running.
    internalsOf(client).unref()
    const clients = this.#idle.get(key)
    if (clients) clients.push(client)
    else this.#idle.set(key, [client])
    return true
  }

  #remove(key: string, client: pg.Client): void {
    const clients = this.#idle.get(key) ?? []
    this.#idle.set(
      key,
      clients.filter((other) => other !== client),
    )
  }

  /** Ends the idle sessions. From then on, `end` really ends sessions. */
  close(): void {
    this.#isOpen = false
    for (const client of [...this.#idle.values()].flat()) void client.end()
    this.#idle.clear()
  }
}

/** Restores the state of a new session, except for its prepared statements. */
export const RESET = 'reset all; unlisten *; select pg_advisory_unlock_all(); discard temp'

function createClientClass(sessions: ReusedSessions): typeof pg.Client {
  return class extends Client {
    readonly #key: string
    #isReused = false

    constructor(options: Options) {
      super(options)
      const { application_name: name, options: settings, statement_timeout: timeout, pipeline } = options
      this.#key = JSON.stringify([name, settings, timeout, pipeline])
      const idle = sessions.take(this.#key)
      // A constructor may return another object: the client that holds the session.
      if (idle) return idle as this
    }

    override connect(): Promise<pg.Client>
    override connect(callback: (err: Error) => void): void
    override connect(callback?: (err: Error) => void): unknown {
      if (!this.#isReused) return callback ? super.connect(callback) : super.connect()
      internalsOf(this).ref()
      const reset = this.query(RESET).then(() => this as pg.Client)
      if (!callback) return reset
      return void reset.then(() => (callback as () => void)(), callback)
    }

    override end(): Promise<void>
    override end(callback: (err: Error) => void): void
    override end(callback?: (err: Error) => void): unknown {
      this.#isReused = true
      if (!isIdle(this) || !sessions.add(this.#key, this)) return callback ? super.end(callback) : super.end()
      if (!callback) return Promise.resolve()
      process.nextTick(callback)
      return undefined
    }
  }
}

/** What the types of pg omit. */
interface Internals {
  processID: number
  _queryable: boolean
  _connected: boolean
  _ended: boolean
  _activeQuery: unknown
  getTransactionStatus(): string | null
  ref(): void
  unref(): void
}

export function internalsOf(client: pg.Client): Internals {
  return client as unknown as Internals
}

/** Returns whether a client is connected, outside of a transaction, and without a running query. */
function isIdle(client: pg.Client): boolean {
  const internals = internalsOf(client)
  const { _queryable, _connected, _ended, _activeQuery } = internals
  return _connected && _queryable && !_ended && !_activeQuery && internals.getTransactionStatus() === 'I'
}
