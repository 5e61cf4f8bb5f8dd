import type { Config } from '../platform/config.ts'
import type { Fetcher } from '../platform/fetch.ts'
import type { Db } from '../platform/db/connect.ts'
import type { Bus } from '../platform/bus.ts'
import type { Log } from '../platform/log.ts'
import type { RateLimiter } from '../platform/rate-limit.ts'
import type { Smtp } from '../platform/smtp.ts'
import type { Storage } from '../platform/storage/storage.ts'
import type { Secrets } from '../platform/secrets.ts'
import type { Translator } from '../platform/translation/translator.ts'
import type { Emit } from './events.ts'
import type { Remote } from './ports.ts'

/** Enough to read. */
export interface Read {
  readonly db: Db
  readonly config: Config
}

/** A transaction: one moment, and the news that will be told when it commits. It has no network, by type. */
export interface Tx extends Read {
  readonly now: Date
  readonly emit: Emit
}

/** What doors and effects work with. It carries tools, never services, so nothing can lean on its neighbour through it. */
export interface Ctx extends Read {
  /** Runs the work in one transaction; what it emits becomes jobs of that same commit. */
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>
  now(): Date
  readonly storage: Storage
  /** null = no mail server is set: letters stay in the outbox, where the owner reads them. */
  readonly smtp: Smtp | null
  readonly bus: Bus
  /** Counts what people may do only so often. */
  readonly limiter: RateLimiter
  /** The way to other servers. */
  readonly fetcher: Fetcher
  /** null = no service is set that translates. */
  readonly translator: Translator | null
  /** Who finds people and posts there. */
  readonly remote: Remote
  readonly secrets: Secrets
  readonly log: Log
}
