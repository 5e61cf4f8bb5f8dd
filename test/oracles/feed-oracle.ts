/** A post or a reblog in the oracle, which identifies accounts by numbers. */
export interface OraclePost {
  readonly id: string
  readonly author: number
  readonly visibility: string
  /** The author of the parent. */
  readonly inReplyTo: number | null
  readonly mentions: readonly number[]
  readonly tagged: boolean
  readonly reblogOf: OraclePost | null
}

export interface OracleList {
  readonly owner: number
  policy: 'list' | 'followed' | 'none'
  exclusive: boolean
  readonly members: Set<number>
  feed: OraclePost[]
}

interface OracleAccount {
  /** Whether the feeds omit a reblog of a post that they contain. */
  readonly aggregates: boolean
  followsTag: boolean
  home: OraclePost[]
}

const key = (from: number, to: number) => `${from} ${to}`
const originalOf = (post: OraclePost) => post.reblogOf ?? post

/**
 * A simple model of the home and list feeds of all accounts, in plain sets. Ids of posts rise. Tests do not apply
 * actions that the server rejects.
 */
export class FeedOracle {
  readonly accounts: OracleAccount[]
  readonly lists: OracleList[]
  posts: OraclePost[] = []
  /** For each follow, whether it includes reblogs. */
  readonly #follows = new Map<string, boolean>()
  readonly #blocks = new Set<string>()
  readonly #mutes = new Set<string>()

  constructor(users: { aggregates: boolean }[], lists: Pick<OracleList, 'owner' | 'policy' | 'exclusive'>[]) {
    this.accounts = users.map(({ aggregates }) => ({ aggregates, followsTag: false, home: [] }))
    this.lists = lists.map((list) => ({ ...list, members: new Set<number>(), feed: [] }))
  }

  post(post: OraclePost): void {
    this.posts.push(post)
    for (const [reader, account] of this.accounts.entries()) {
      const byTag =
        account.followsTag && post.tagged && post.visibility === 'public' && !this.#isInExclusiveList(reader, post)
      const isEligible = reader === post.author || this.#isHomeEligible(reader, post)
      const isAdded = isEligible && !this.#isRepeatedReblog(reader, account.home, post)
      if (isAdded || (byTag && this.#passesBlocksAndMutes(reader, post))) account.home.push(post)
    }
    for (const list of this.lists) {
      if (this.#isListEligible(list, post) && !this.#isRepeatedReblog(list.owner, list.feed, post)) list.feed.push(post)
    }
  }

  /** Removes a post with all its reblogs. */
  remove(post: OraclePost): void {
    const withoutPost = (posts: OraclePost[]) => posts.filter((one) => one !== post && one.reblogOf !== post)
    this.posts = withoutPost(this.posts)
    for (const account of this.accounts) account.home = withoutPost(account.home)
    for (const list of this.lists) list.feed = withoutPost(list.feed)
  }

  /** Removes a reblog; another reblog of the same post can replace it in a feed. */
  unreblog(reblog: OraclePost): void {
    this.remove(reblog)
    const others = this.posts.filter((one) => one.reblogOf === reblog.reblogOf)
    const next = (reader: number, feed: OraclePost[], isEligible: (post: OraclePost) => boolean) => {
      const isShown = feed.some((one) => originalOf(one) === reblog.reblogOf)
      const found = this.accounts[reader]!.aggregates && !isShown ? others.find((one) => isEligible(one)) : undefined
      return found ? [...feed, found] : feed
    }
    for (const [reader, account] of this.accounts.entries()) {
      if (reader !== reblog.author && !this.#doesFollow(reader, reblog.author)) continue
      const isEligible = (post: OraclePost) => reader === post.author || this.#isHomeEligible(reader, post)
      account.home = next(reader, account.home, isEligible)
    }
    for (const list of this.lists) {
      if (list.members.has(reblog.author))
        list.feed = next(list.owner, list.feed, (post) => this.#isListEligible(list, post))
    }
  }

  follow(from: number, to: number, reblogs: boolean | undefined): void {
    const known = this.#follows.get(key(from, to))
    this.#follows.set(key(from, to), reblogs ?? known ?? true)
    if (known === undefined) this.#addEntries(from, [to])
  }

  unfollow(from: number, to: number): void {
    if (!this.#follows.has(key(from, to))) return
    this.#endFollow(from, to)
    this.#removeEntries(from, [to])
  }

  block(from: number, to: number): void {
    if (this.#blocks.has(key(from, to))) return
    this.#blocks.add(key(from, to))
    this.#endFollow(from, to)
    this.#endFollow(to, from)
    this.#removeEntries(from, [to])
    this.#removeEntries(to, [from])
  }

  unblock(from: number, to: number): void {
    this.#blocks.delete(key(from, to))
  }

  mute(from: number, to: number): void {
    this.#mutes.add(key(from, to))
    this.#removeEntries(from, [to])
  }

  unmute(from: number, to: number): void {
    if (this.#mutes.delete(key(from, to))) this.#addEntries(from, [to])
  }

  add(list: OracleList, member: number): void {
    list.members.add(member)
    this.#addToList(list, [member])
    if (list.exclusive) this.#removeFromHome(list.owner, [member])
  }

  removeMember(list: OracleList, member: number): void {
    if (!list.members.delete(member)) return
    this.#removeFromLists(list.owner, [member])
    if (list.exclusive) this.#addToHome(list.owner, [member])
  }

  setExclusive(list: OracleList, exclusive: boolean): void {
    if (list.exclusive === exclusive) return
    list.exclusive = exclusive
    const members = [...list.members].filter((one) => this.#doesFollow(list.owner, one))
    this.#removeFromHome(list.owner, members)
    this.#addToHome(list.owner, members)
  }

  unfollowTag(reader: number): void {
    const account = this.accounts[reader]!
    if (!account.followsTag) return
    account.followsTag = false
    account.home = account.home.filter(
      (post) => !post.tagged || post.author === reader || this.#doesFollow(reader, post.author),
    )
  }

  /** Returns the ids of the entries that a reader sees: visibility is checked again when a feed is read. */
  visibleEntries(reader: number, feed: readonly OraclePost[]): string[] {
    const seen = feed.filter(
      (post) =>
        this.#canSee(reader, post) &&
        (post.reblogOf === null || this.#canSee(reader, post.reblogOf)) &&
        [post.author, originalOf(post).author].every((one) => one === reader || !this.#blocksOrMutes(reader, one)),
    )
    return seen.map(({ id }) => id)
  }

  #doesFollow(from: number, to: number): boolean {
    return this.#follows.has(key(from, to))
  }

  #blocksOrMutes(from: number, to: number): boolean {
    return this.#blocks.has(key(from, to)) || this.#mutes.has(key(from, to))
  }

  #endFollow(from: number, to: number): void {
    if (!this.#follows.delete(key(from, to))) return
    for (const list of this.lists) if (list.owner === from) list.members.delete(to)
  }

  #canSee(reader: number, { author, visibility, mentions }: OraclePost): boolean {
    if (author === reader) return true
    if (this.#blocks.has(key(author, reader))) return false
    if (visibility === 'public' || visibility === 'unlisted' || mentions.includes(reader)) return true
    return visibility === 'private' && this.#doesFollow(reader, author)
  }

  #isInExclusiveList(reader: number, { author }: OraclePost): boolean {
    return this.lists.some((list) => list.owner === reader && list.exclusive && list.members.has(author))
  }

  #passesBlocksAndMutes(reader: number, post: OraclePost): boolean {
    const authors = [post.author, originalOf(post).author]
    const users = [...authors, ...originalOf(post).mentions]
    return (
      (post.visibility !== 'direct' || post.mentions.includes(reader)) &&
      !users.some((one) => this.#blocksOrMutes(reader, one)) &&
      !authors.some((one) => this.#blocks.has(key(one, reader)))
    )
  }

  #isFollowed(reader: number, { author, reblogOf }: OraclePost): boolean {
    const includesReblogs = this.#follows.get(key(reader, author))
    return includesReblogs !== undefined && (reblogOf === null || includesReblogs)
  }

  #isHomeEligible(reader: number, post: OraclePost): boolean {
    const { inReplyTo, author } = post
    const isReplyEligible =
      inReplyTo === null || inReplyTo === author || inReplyTo === reader || this.#doesFollow(reader, inReplyTo)
    return (
      this.#isFollowed(reader, post) &&
      isReplyEligible &&
      this.#passesBlocksAndMutes(reader, post) &&
      !this.#isInExclusiveList(reader, post)
    )
  }

  #isListEligible(list: OracleList, post: OraclePost): boolean {
    const { owner, policy, members } = list
    const { inReplyTo, author } = post
    if (!members.has(author) || post.visibility === 'direct') return false
    const isReplyEligible =
      inReplyTo === null ||
      inReplyTo === author ||
      inReplyTo === owner ||
      (policy === 'followed' && this.#doesFollow(owner, inReplyTo)) ||
      (policy === 'list' && members.has(inReplyTo))
    return (
      isReplyEligible &&
      (author === owner || (this.#isFollowed(owner, post) && this.#passesBlocksAndMutes(owner, post)))
    )
  }

  #isRepeatedReblog(reader: number, feed: readonly OraclePost[], post: OraclePost): boolean {
    if (!this.accounts[reader]!.aggregates || post.reblogOf === null) return false
    return feed.some((one) => originalOf(one) === post.reblogOf)
  }

  /** Adds eligible posts to a feed; of several with the same original only the first, and none if the feed has one. */
  #merge(reader: number, feed: readonly OraclePost[], eligible: readonly OraclePost[]): OraclePost[] {
    const aggregates = this.accounts[reader]!.aggregates
    const isShown = (post: OraclePost) => feed.some((one) => originalOf(one) === originalOf(post))
    const isFirst = (post: OraclePost) => eligible.find((one) => originalOf(one) === originalOf(post)) === post
    const added = eligible.filter((post) => !feed.includes(post) && (!aggregates || (isFirst(post) && !isShown(post))))
    return [...feed, ...added]
  }

  #addEntries(reader: number, authors: readonly number[]): void {
    this.#addToHome(reader, authors)
    for (const list of this.lists) if (list.owner === reader) this.#addToList(list, authors)
  }

  #addToHome(reader: number, authors: readonly number[]): void {
    const account = this.accounts[reader]!
    const eligible = this.posts.filter((post) => authors.includes(post.author) && this.#isHomeEligible(reader, post))
    account.home = this.#merge(reader, account.home, eligible)
  }

  #addToList(list: OracleList, authors: readonly number[]): void {
    const eligible = this.posts.filter((post) => authors.includes(post.author) && this.#isListEligible(list, post))
    list.feed = this.#merge(list.owner, list.feed, eligible)
  }

  #removeEntries(reader: number, authors: readonly number[]): void {
    this.#removeFromHome(reader, authors)
    this.#removeFromLists(reader, authors)
  }

  #removeFromHome(reader: number, authors: readonly number[]): void {
    const account = this.accounts[reader]!
    const isRemoved = (post: OraclePost, one: number) =>
      this.#concerns(reader, post, one) ||
      (post.author === one &&
        one !== reader &&
        (!this.#doesFollow(reader, one) || this.#isInExclusiveList(reader, post)))
    account.home = account.home.filter((post) => !authors.some((one) => isRemoved(post, one)))
  }

  #removeFromLists(reader: number, authors: readonly number[]): void {
    for (const list of this.lists) {
      if (list.owner !== reader) continue
      const isRemoved = (post: OraclePost, one: number) =>
        this.#concerns(reader, post, one) || (post.author === one && !list.members.has(one))
      list.feed = list.feed.filter((post) => !authors.some((one) => isRemoved(post, one)))
    }
  }

  /** Returns whether a post is hidden from the reader because of a block or mute between the reader and an account. */
  #concerns(reader: number, post: OraclePost, other: number): boolean {
    const isBy = [post.author, originalOf(post).author].includes(other)
    const isMentioned = post.author !== reader && originalOf(post).mentions.includes(other)
    return this.#blocksOrMutes(reader, other) ? isBy || isMentioned : this.#blocks.has(key(other, reader)) && isBy
  }
}
