import type { Connection } from '../../src/platform/db/connect.ts'
import type { Outcome } from './window.ts'

/** What is asked again and again. Lists are gone through one by one, so that nobody reaches a limit. */
export interface Requests {
  kind: 'requests'
  port: number
  method: 'GET' | 'POST'
  paths: string[]
  tokens?: string[]
  /** So many addresses, which a proxy would name. */
  addresses?: number
  /** Posts a text that is never the same. */
  posts?: boolean
  /** Uploads this file. */
  file?: string
}

/** Commits of one row each. */
export interface Commits {
  kind: 'commits'
  connection: Connection
}

/** Somebody on another server, who signs. */
export interface Author {
  uri: string
  keyId: string
  /** PKCS #8 in PEM. */
  privateKey: string
}

/** New notes of these authors, as their servers deliver them. They are signed before the window, which ends with them. */
export interface Activities {
  kind: 'activities'
  port: number
  authors: Author[]
  count: number
}

/** RSA alone: signatures on as many threads as deliveries have, checks on one, as inboxes do it. */
export interface Signatures {
  kind: 'signatures'
  way: 'sign' | 'verify'
}

export type Work = Requests | Commits | Activities | Signatures

export interface Order {
  work: Work
  connections: number
  warmUpMs: number
  windowMs: number
}

/** What a load process tells: that the window begins, that it is over, what came out. */
export type Report = { began: true } | { ended: true; outcome: Outcome }

/** One kind of work, ready. */
export interface Hands {
  /** What one of the connections does until it is told to end, or nothing is left. */
  run(isOver: () => boolean): Promise<void>
}
