/** A post or a reblog in the oracle, which identifies accounts by numbers. */
export interface OraclePost {
  readonly id: string
  readonly author: number
  readonly visibility: string
  /** The author of the parent. */
  readonly inReplyTo: number | null
  mentions: readonly number[]
  /** The accounts that any version of it has mentioned. */
  addressed: readonly number[]
  tagged: boolean
  readonly reblogOf: OraclePost | null
}

export interface OracleList {
  readonly owner: number
  policy: 'list' | 'followed' | 'none'
  exclusive: boolean
  readonly members: Set<number>
  feed: OraclePost[]
}

export const originalOf = (post: OraclePost): OraclePost => post.reblogOf ?? post

/** Returns the key of a relationship of two accounts. */
export const pairOf = (from: number, to: number): string => `${from} ${to}`

/** The relationships of all accounts, by the keys of `pairOf`. */
export class Relationships {
  /** For each follow, whether it includes reblogs. */
  readonly follows = new Map<string, boolean>()
  readonly blocks = new Set<string>()
  readonly mutes = new Set<string>()

  doesFollow(from: number, to: number): boolean {
    return this.follows.has(pairOf(from, to))
  }

  blocksOrMutes(from: number, to: number): boolean {
    return this.blocks.has(pairOf(from, to)) || this.mutes.has(pairOf(from, to))
  }

  canSee(reader: number, { author, visibility, addressed }: OraclePost): boolean {
    if (author === reader) return true
    if (this.blocks.has(pairOf(author, reader))) return false
    if (visibility === 'public' || visibility === 'unlisted' || addressed.includes(reader)) return true
    return visibility === 'private' && this.doesFollow(reader, author)
  }

  passesBlocksAndMutes(reader: number, post: OraclePost): boolean {
    const authors = [post.author, originalOf(post).author]
    const users = [...authors, ...originalOf(post).mentions]
    return (
      (post.visibility !== 'direct' || post.addressed.includes(reader)) &&
      !users.some((one) => this.blocksOrMutes(reader, one)) &&
      !authors.some((one) => this.blocks.has(pairOf(one, reader)))
    )
  }

  /** Returns whether the reader follows the author, and with reblogs if this is one. */
  isFollowed(reader: number, { author, reblogOf }: OraclePost): boolean {
    const includesReblogs = this.follows.get(pairOf(reader, author))
    return includesReblogs !== undefined && (reblogOf === null || includesReblogs)
  }
}
