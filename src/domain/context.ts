import type { Config } from '../platform/config/config.ts'
import type { FindMailHosts } from '../platform/fetch/create-mail-host-finder.ts'
import type { Fetcher } from '../platform/fetch/fetcher.ts'
import type { Db, TransactionOptions } from '../platform/db/connection.ts'
import type { Invalidations } from '../platform/db/invalidations.ts'
import type { Bus } from '../platform/bus/bus.ts'
import type { Log } from '../platform/log/log.ts'
import type { RateLimiter } from '../platform/rate-limit/rate-limiter.ts'
import type { Smtp } from '../platform/smtp.ts'
import type { Storage } from '../platform/storage/storage.ts'
import type { Secrets } from '../platform/secrets.ts'
import type { ExternalLogins } from '../platform/single-sign-on/open-providers.ts'
import type { Translator } from '../platform/translation/translator.ts'
import type { Emit } from './events.ts'
import type { Remote } from './ports.ts'

/** Enough to query the database. */
export interface Read {
  readonly db: Db
  readonly config: Config
}

/**
 * Reads through the caches. `invalidations` have been checked at one epoch, which is the same for a whole request: what
 * is read is at least as new. It cannot write, and code that can write gets one only from `Ctx.read`.
 */
export interface CachedRead extends Read {
  readonly invalidations: Invalidations
}

/**
 * A transaction with one time, `now`; the events that it emits take effect when it commits. Its type has no network
 * access.
 */
export interface Tx extends Read {
  readonly now: Date
  readonly emit: Emit
}

/**
 * What entry points and effects work with. It carries tools, never services, so that no operation depends on another.
 */
export interface Ctx extends Read {
  /** Runs the work in one transaction. The jobs of emitted events are inserted in the same transaction. */
  write<T>(work: (tx: Tx) => Promise<T>, options?: TransactionOptions): Promise<T>
  /**
   * Calls a function with a new context for reading through the caches, whose epoch is checked now. So it sees all that
   * was committed before. The context ends with the call: none from before a write is there after it.
   */
  read<In, Out>(query: (read: CachedRead, input: In) => Promise<NoContext<Out>>, input: NoInfer<In>): Promise<Out>
  /**
   * Calls a function with a context whose answers may be about a second old: from the replica, if there is one that is
   * reachable and not behind. For expensive figures only, never for what a user expects to see after an own write.
   */
  readStale<In, Out>(query: (read: Read, input: In) => Promise<NoContext<Out>>, input: NoInfer<In>): Promise<Out>
  /** A `Ctx` has no epoch of its own. */
  readonly invalidations?: never
  now(): Date
  readonly storage: Storage
  /** null = no mail server is configured: mails stay in the outbox, where administrators can read them. */
  readonly smtp: Smtp | null
  readonly bus: Bus
  /** Limits how often accounts may act. */
  readonly rateLimiter: RateLimiter
  /** Sends HTTP requests to other servers. */
  readonly fetcher: Fetcher
  /** null = no translation service is configured. */
  readonly translator: Translator | null
  /** The configured providers of external log-ins. */
  readonly externalLogins: ExternalLogins
  /** Finds the mail servers of a domain. */
  readonly findMailHosts: FindMailHosts
  /** Finds accounts and statuses on other servers. */
  readonly remote: Remote
  readonly secrets: Secrets
  /** The names of the jobs for which this version has handlers. */
  readonly jobNames: readonly string[]
  readonly log: Log
}

/** A context must not outlive the call that it was made for. */
type NoContext<Out> = Out extends CachedRead ? never : Out
