import { originalOf, pairOf, Relationships } from './feed-oracle-records.ts'
import type { OracleList, OraclePost } from './feed-oracle-records.ts'

interface OracleAccount {
  /** Whether the feeds omit a reblog of a post that they contain. */
  readonly aggregates: boolean
  followsTag: boolean
  home: OraclePost[]
}

/**
 * A simple model of the home and list feeds of all accounts, in plain sets. Ids of posts rise. Tests do not apply
 * actions that the server rejects.
 */
export class FeedOracle {
  readonly accounts: OracleAccount[]
  readonly lists: OracleList[]
  posts: OraclePost[] = []
  readonly #relationships = new Relationships()

  constructor(users: { aggregates: boolean }[], lists: Pick<OracleList, 'owner' | 'policy' | 'exclusive'>[]) {
    this.accounts = users.map(({ aggregates }) => ({ aggregates, followsTag: false, home: [] }))
    this.lists = lists.map((list) => ({ ...list, members: new Set<number>(), feed: [] }))
  }

  post(post: OraclePost): void {
    this.posts.push(post)
    for (const [reader, account] of this.accounts.entries()) {
      const isEligible = reader === post.author || this.#isHomeEligible(reader, post)
      const isAdded = isEligible && !this.#isRepeatedReblog(reader, account.home, post)
      if (isAdded || this.#isTagEligible(reader, post)) account.home.push(post)
    }
    for (const list of this.lists) {
      if (this.#isListEligible(list, post) && !this.#isRepeatedReblog(list.owner, list.feed, post)) list.feed.push(post)
    }
  }

  /**
   * Changes the mentions and the hashtag of a post. Readers who do not get this version lose it and its reblogs, and
   * those who do get the post.
   */
  edit(post: OraclePost, { mentions, tagged }: Pick<OraclePost, 'mentions' | 'tagged'>): void {
    if (tagged === post.tagged && new Set(mentions).symmetricDifference(new Set(post.mentions)).size === 0) return
    post.addressed = [...new Set([...post.addressed, ...mentions])]
    post.mentions = mentions
    post.tagged = tagged
    const edited = (
      reader: number,
      feed: readonly OraclePost[],
      isKept: (one: OraclePost) => boolean,
      isAdded: boolean,
    ) => {
      const kept = feed.filter((one) => originalOf(one) !== post || one.author === reader || isKept(one))
      const isShown = kept.some((one) => (this.accounts[reader]!.aggregates ? originalOf(one) : one) === post)
      return isAdded && !isShown ? [...kept, post] : kept
    }
    for (const [reader, account] of this.accounts.entries()) {
      const isKept = (one: OraclePost) =>
        this.#isTagEligible(reader, one) ||
        (this.#relationships.doesFollow(reader, one.author) && this.#isShownAtHome(reader, one))
      const isAdded = reader === post.author || this.#isHomeEligible(reader, post) || this.#isTagEligible(reader, post)
      account.home = edited(reader, account.home, isKept, isAdded)
    }
    for (const list of this.lists) {
      const isKept = (one: OraclePost) =>
        list.members.has(one.author) &&
        this.#relationships.doesFollow(list.owner, one.author) &&
        this.#isShownInList(list, one)
      list.feed = edited(list.owner, list.feed, isKept, this.#isListEligible(list, post))
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
      if (reader !== reblog.author && !this.#relationships.doesFollow(reader, reblog.author)) continue
      const isEligible = (post: OraclePost) => reader === post.author || this.#isHomeEligible(reader, post)
      account.home = next(reader, account.home, isEligible)
    }
    for (const list of this.lists) {
      if (list.members.has(reblog.author))
        list.feed = next(list.owner, list.feed, (post) => this.#isListEligible(list, post))
    }
  }

  follow(from: number, to: number, reblogs: boolean | undefined): void {
    const known = this.#relationships.follows.get(pairOf(from, to))
    this.#relationships.follows.set(pairOf(from, to), reblogs ?? known ?? true)
    if (known === undefined) this.#addEntries(from, [to])
  }

  unfollow(from: number, to: number): void {
    if (!this.#relationships.follows.has(pairOf(from, to))) return
    this.#endFollow(from, to)
    this.#removeEntries(from, [to])
  }

  block(from: number, to: number): void {
    if (this.#relationships.blocks.has(pairOf(from, to))) return
    this.#relationships.blocks.add(pairOf(from, to))
    this.#endFollow(from, to)
    this.#endFollow(to, from)
    this.#removeEntries(from, [to])
    this.#removeEntries(to, [from])
  }

  unblock(from: number, to: number): void {
    this.#relationships.blocks.delete(pairOf(from, to))
  }

  mute(from: number, to: number): void {
    this.#relationships.mutes.add(pairOf(from, to))
    this.#removeEntries(from, [to])
  }

  unmute(from: number, to: number): void {
    if (this.#relationships.mutes.delete(pairOf(from, to))) this.#addEntries(from, [to])
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
    const members = [...list.members].filter((one) => this.#relationships.doesFollow(list.owner, one))
    this.#removeFromHome(list.owner, members)
    this.#addToHome(list.owner, members)
  }

  unfollowTag(reader: number): void {
    const account = this.accounts[reader]!
    if (!account.followsTag) return
    account.followsTag = false
    account.home = account.home.filter(
      (post) => !post.tagged || post.author === reader || this.#relationships.doesFollow(reader, post.author),
    )
  }

  /** Returns the ids of the entries that a reader sees: visibility is checked again when a feed is read. */
  visibleEntries(reader: number, feed: readonly OraclePost[]): string[] {
    const seen = feed.filter(
      (post) =>
        this.#relationships.canSee(reader, post) &&
        (post.reblogOf === null || this.#relationships.canSee(reader, post.reblogOf)) &&
        [post.author, originalOf(post).author].every(
          (one) => one === reader || !this.#relationships.blocksOrMutes(reader, one),
        ),
    )
    return seen.map(({ id }) => id)
  }

  #endFollow(from: number, to: number): void {
    if (!this.#relationships.follows.delete(pairOf(from, to))) return
    for (const list of this.lists) if (list.owner === from) list.members.delete(to)
  }

  #isInExclusiveList(reader: number, { author }: OraclePost): boolean {
    return this.lists.some((list) => list.owner === reader && list.exclusive && list.members.has(author))
  }

  #isHomeEligible(reader: number, post: OraclePost): boolean {
    return this.#relationships.isFollowed(reader, post) && this.#isShownAtHome(reader, post)
  }

  #isTagEligible(reader: number, post: OraclePost): boolean {
    return (
      this.accounts[reader]!.followsTag &&
      post.tagged &&
      post.visibility === 'public' &&
      !this.#isInExclusiveList(reader, post) &&
      this.#relationships.passesBlocksAndMutes(reader, post)
    )
  }

  /** Returns whether a reader who follows the author gets the post. */
  #isShownAtHome(reader: number, post: OraclePost): boolean {
    const { inReplyTo, author } = post
    const isReplyEligible =
      inReplyTo === null ||
      inReplyTo === author ||
      inReplyTo === reader ||
      this.#relationships.doesFollow(reader, inReplyTo)
    return (
      isReplyEligible &&
      this.#relationships.passesBlocksAndMutes(reader, post) &&
      !this.#isInExclusiveList(reader, post)
    )
  }

  #isListEligible(list: OracleList, post: OraclePost): boolean {
    const isFollowed = post.author === list.owner || this.#relationships.isFollowed(list.owner, post)
    return list.members.has(post.author) && isFollowed && this.#isShownInList(list, post)
  }

  /** Returns whether a list whose owner follows the author gets the post. */
  #isShownInList(list: OracleList, post: OraclePost): boolean {
    const { owner, policy, members } = list
    const { inReplyTo, author } = post
    if (post.visibility === 'direct') return false
    const isReplyEligible =
      inReplyTo === null ||
      inReplyTo === author ||
      inReplyTo === owner ||
      (policy === 'followed' && this.#relationships.doesFollow(owner, inReplyTo)) ||
      (policy === 'list' && members.has(inReplyTo))
    return isReplyEligible && (author === owner || this.#relationships.passesBlocksAndMutes(owner, post))
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
        (!this.#relationships.doesFollow(reader, one) || this.#isInExclusiveList(reader, post)))
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
    return this.#relationships.blocksOrMutes(reader, other)
      ? isBy || isMentioned
      : this.#relationships.blocks.has(pairOf(other, reader)) && isBy
  }
}
