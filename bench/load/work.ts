import type { Connection } from '../../src/platform/db/connection.ts'
import type { Outcome } from './measurement-window.ts'

/** Repeated HTTP requests, which use the items of the lists in turn, so that no rate limit is reached. */
export interface Requests {
  kind: 'requests'
  port: number
  method: 'GET' | 'POST'
  paths: string[]
  tokens?: string[]
  /** The number of client addresses, sent in `X-Forwarded-For`. */
  addresses?: number
  /** Posts statuses with unique texts. */
  posts?: boolean
  /** JSON documents, sent in turn. */
  bodies?: string[]
  /** Uploads this file. */
  file?: string
}

/** Commits of one row each. */
export interface Commits {
  kind: 'commits'
  connection: Connection
}

/** A remote author with a private key. */
export interface Author {
  uri: string
  keyId: string
  /** PKCS #8 in PEM. */
  privateKey: string
}

/** Deliveries of new notes by these authors. They are signed before the window, which ends with the last of them. */
export interface Activities {
  kind: 'activities'
  port: number
  /** The path of the inbox; default: that of the shared inbox. */
  path?: string
  authors: Author[]
  count: number
}

/** RSA only: signatures on all threads of the pool, as for deliveries; verifications on one thread, as in the inbox. */
export interface Signatures {
  kind: 'signatures'
  operation: 'sign' | 'verify'
}

export type LoadWork = Requests | Commits | Activities | Signatures

export interface LoadCommand {
  work: LoadWork
  connections: number
  warmUpMs: number
  windowMs: number
}

/** A message of the load process: the window begins, or it has ended with this outcome. */
export type Report = { began: true } | { ended: true; outcome: Outcome }

/** Work that is ready to run. */
export interface PreparedWork {
  /** Runs the work of one connection until `isOver`, or until no work remains. */
  run(isOver: () => boolean): Promise<void>
}
