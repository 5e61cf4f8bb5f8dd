/** A user of a compared server. */
export interface ComparedUser {
  /** The id of the account. */
  id: string
  username: string
}

/** A running server that is compared with another one. */
export interface ComparedServer {
  name: string
  port: number
  /** The duration of a start with a new data folder, and of the second one, in milliseconds. */
  starts: [number, number]
  /** The users who post, and who follow each other. */
  authors: ComparedUser[]
  /** Tokens of the authors, in their order; more than one round if a token alone would reach a rate limit. */
  tokens: string[]
  /** Tokens of everybody who reads and posts during the measurement. */
  readerTokens: string[]
  /** The path of a document about an author that other servers may read without a signature. */
  actorPath(author: ComparedUser): string
  /** The path of an inbox to which any activity may be sent. */
  inboxPath: string
  /** Gives each reader notifications, after the authors have some. */
  prepareReaders(): Promise<void>
  /** Returns the used processor time in milliseconds, with that of its database. */
  readCpu(): number
  /** Returns the memory in MB (PSS), with that of its database. */
  readMemory(): number
  stop(): Promise<void>
}
