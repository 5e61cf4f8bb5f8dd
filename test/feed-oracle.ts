/** A post or a boost, as the oracle knows it. People are numbers. */
export interface OraclePost {
  readonly id: string
  readonly author: number
  readonly visibility: string
  /** Whom it answers. */
  readonly answers: number | null
  readonly mentions: readonly number[]
  readonly tagged: boolean
  readonly boosted: OraclePost | null
}

export interface OracleList {
  readonly owner: number
  policy: 'list' | 'followed' | 'none'
  exclusive: boolean
  readonly members: Set<number>
  feed: OraclePost[]
}

interface OraclePerson {
  /** Whether a second boost of what is there is left out. */
  readonly aggregates: boolean
  followsTag: boolean
  home: OraclePost[]
}

const key = (from: number, to: number) => `${from} ${to}`
const originalOf = (post: OraclePost) => post.boosted ?? post

/**
 * What is in everybody's home feed and lists, told as one would tell it: in plain sets, person by person. Ids of posts
 * rise. Deeds that the server refuses are not told to it.
 */
export class FeedOracle {
  readonly people: OraclePerson[]
  readonly lists: OracleList[]
  posts: OraclePost[] = []
  /** Of each follow: whether boosts are wanted. */
  readonly #follows = new Map<string, boolean>()
  readonly #blocks = new Set<string>()
  readonly #mutes = new Set<string>()

  constructor(people: { aggregates: boolean }[], lists: Pick<OracleList, 'owner' | 'policy' | 'exclusive'>[]) {
    this.people = people.map(({ aggregates }) => ({ aggregates, followsTag: false, home: [] }))
    this.lists = lists.map((list) => ({ ...list, members: new Set<number>(), feed: [] }))
  }

  post(post: OraclePost): void {
    this.posts.push(post)
    for (const [reader, person] of this.people.entries()) {
      const byTag = person.followsTag && post.tagged && post.visibility === 'public' && !this.#isKeptOut(reader, post)
      const isWanted = reader === post.author || this.#belongsHome(reader, post)
      const belongs = isWanted && !this.#repeats(reader, person.home, post)
      if (belongs || (byTag && this.#isWelcome(reader, post))) person.home.push(post)
    }
    for (const list of this.lists) {
      if (this.#belongsOn(list, post) && !this.#repeats(list.owner, list.feed, post)) list.feed.push(post)
    }
  }

  /** Takes a post away, with all boosts of it. */
  remove(post: OraclePost): void {
    const left = (posts: OraclePost[]) => posts.filter((one) => one !== post && one.boosted !== post)
    this.posts = left(this.posts)
    for (const person of this.people) person.home = left(person.home)
    for (const list of this.lists) list.feed = left(list.feed)
  }

  /** Takes a boost away; where it was shown, another one of the same may be. */
  unboost(boost: OraclePost): void {
    this.remove(boost)
    const others = this.posts.filter((one) => one.boosted === boost.boosted)
    const next = (reader: number, feed: OraclePost[], belongs: (post: OraclePost) => boolean) => {
      const isShown = feed.some((one) => originalOf(one) === boost.boosted)
      const found = this.people[reader]!.aggregates && !isShown ? others.find((one) => belongs(one)) : undefined
      return found ? [...feed, found] : feed
    }
    for (const [reader, person] of this.people.entries()) {
      if (reader !== boost.author && !this.#doesFollow(reader, boost.author)) continue
      const belongs = (post: OraclePost) => reader === post.author || this.#belongsHome(reader, post)
      person.home = next(reader, person.home, belongs)
    }
    for (const list of this.lists) {
      if (list.members.has(boost.author)) list.feed = next(list.owner, list.feed, (post) => this.#belongsOn(list, post))
    }
  }

  follow(from: number, to: number, boosts: boolean | undefined): void {
    const known = this.#follows.get(key(from, to))
    this.#follows.set(key(from, to), boosts ?? known ?? true)
    if (known === undefined) this.#gather(from, [to])
  }

  unfollow(from: number, to: number): void {
    if (!this.#follows.has(key(from, to))) return
    this.#endFollow(from, to)
    this.#sweep(from, [to])
  }

  block(from: number, to: number): void {
    if (this.#blocks.has(key(from, to))) return
    this.#blocks.add(key(from, to))
    this.#endFollow(from, to)
    this.#endFollow(to, from)
    this.#sweep(from, [to])
    this.#sweep(to, [from])
  }

  unblock(from: number, to: number): void {
    this.#blocks.delete(key(from, to))
  }

  mute(from: number, to: number): void {
    this.#mutes.add(key(from, to))
    this.#sweep(from, [to])
  }

  unmute(from: number, to: number): void {
    if (this.#mutes.delete(key(from, to))) this.#gather(from, [to])
  }

  add(list: OracleList, member: number): void {
    list.members.add(member)
    this.#gatherOn(list, [member])
    if (list.exclusive) this.#sweepHome(list.owner, [member])
  }

  drop(list: OracleList, member: number): void {
    if (!list.members.delete(member)) return
    this.#sweepLists(list.owner, [member])
    if (list.exclusive) this.#gatherHome(list.owner, [member])
  }

  setExclusive(list: OracleList, exclusive: boolean): void {
    if (list.exclusive === exclusive) return
    list.exclusive = exclusive
    const members = [...list.members].filter((one) => this.#doesFollow(list.owner, one))
    this.#sweepHome(list.owner, members)
    this.#gatherHome(list.owner, members)
  }

  unfollowTag(reader: number): void {
    const person = this.people[reader]!
    if (!person.followsTag) return
    person.followsTag = false
    person.home = person.home.filter(
      (post) => !post.tagged || post.author === reader || this.#doesFollow(reader, post.author),
    )
  }

  /** What somebody reads: what was kept from them since the feed was written is asked again. */
  shown(reader: number, feed: readonly OraclePost[]): string[] {
    const seen = feed.filter(
      (post) =>
        this.#mayRead(reader, post) &&
        (post.boosted === null || this.#mayRead(reader, post.boosted)) &&
        [post.author, originalOf(post).author].every((one) => one === reader || !this.#shuns(reader, one)),
    )
    return seen.map(({ id }) => id)
  }

  #doesFollow(from: number, to: number): boolean {
    return this.#follows.has(key(from, to))
  }

  #shuns(from: number, to: number): boolean {
    return this.#blocks.has(key(from, to)) || this.#mutes.has(key(from, to))
  }

  #endFollow(from: number, to: number): void {
    if (!this.#follows.delete(key(from, to))) return
    for (const list of this.lists) if (list.owner === from) list.members.delete(to)
  }

  #mayRead(reader: number, { author, visibility, mentions }: OraclePost): boolean {
    if (author === reader) return true
    if (this.#blocks.has(key(author, reader))) return false
    if (visibility === 'public' || visibility === 'unlisted' || mentions.includes(reader)) return true
    return visibility === 'private' && this.#doesFollow(reader, author)
  }

  #isKeptOut(reader: number, { author }: OraclePost): boolean {
    return this.lists.some((list) => list.owner === reader && list.exclusive && list.members.has(author))
  }

  #isWelcome(reader: number, post: OraclePost): boolean {
    const authors = [post.author, originalOf(post).author]
    const people = [...authors, ...originalOf(post).mentions]
    return (
      (post.visibility !== 'direct' || post.mentions.includes(reader)) &&
      !people.some((one) => this.#shuns(reader, one)) &&
      !authors.some((one) => this.#blocks.has(key(one, reader)))
    )
  }

  #isOnTerms(reader: number, { author, boosted }: OraclePost): boolean {
    const boosts = this.#follows.get(key(reader, author))
    return boosts !== undefined && (boosted === null || boosts)
  }

  #belongsHome(reader: number, post: OraclePost): boolean {
    const { answers, author } = post
    const inTalk = answers === null || answers === author || answers === reader || this.#doesFollow(reader, answers)
    return this.#isOnTerms(reader, post) && inTalk && this.#isWelcome(reader, post) && !this.#isKeptOut(reader, post)
  }

  #belongsOn(list: OracleList, post: OraclePost): boolean {
    const { owner, policy, members } = list
    const { answers, author } = post
    if (!members.has(author) || post.visibility === 'direct') return false
    const inTalk =
      answers === null ||
      answers === author ||
      answers === owner ||
      (policy === 'followed' && this.#doesFollow(owner, answers)) ||
      (policy === 'list' && members.has(answers))
    return inTalk && (author === owner || (this.#isOnTerms(owner, post) && this.#isWelcome(owner, post)))
  }

  #repeats(reader: number, feed: readonly OraclePost[], post: OraclePost): boolean {
    if (!this.people[reader]!.aggregates || post.boosted === null) return false
    return feed.some((one) => originalOf(one) === post.boosted)
  }

  /** What fits comes in; of several that show the same, the first, unless it is shown already. */
  #bringIn(reader: number, feed: readonly OraclePost[], fitting: readonly OraclePost[]): OraclePost[] {
    const once = this.people[reader]!.aggregates
    const isShown = (post: OraclePost) => feed.some((one) => originalOf(one) === originalOf(post))
    const isFirst = (post: OraclePost) => fitting.find((one) => originalOf(one) === originalOf(post)) === post
    const added = fitting.filter((post) => !feed.includes(post) && (!once || (isFirst(post) && !isShown(post))))
    return [...feed, ...added]
  }

  #gather(reader: number, persons: readonly number[]): void {
    this.#gatherHome(reader, persons)
    for (const list of this.lists) if (list.owner === reader) this.#gatherOn(list, persons)
  }

  #gatherHome(reader: number, persons: readonly number[]): void {
    const person = this.people[reader]!
    const fitting = this.posts.filter((post) => persons.includes(post.author) && this.#belongsHome(reader, post))
    person.home = this.#bringIn(reader, person.home, fitting)
  }

  #gatherOn(list: OracleList, persons: readonly number[]): void {
    const fitting = this.posts.filter((post) => persons.includes(post.author) && this.#belongsOn(list, post))
    list.feed = this.#bringIn(list.owner, list.feed, fitting)
  }

  #sweep(reader: number, persons: readonly number[]): void {
    this.#sweepHome(reader, persons)
    this.#sweepLists(reader, persons)
  }

  #sweepHome(reader: number, persons: readonly number[]): void {
    const person = this.people[reader]!
    const leaves = (post: OraclePost, one: number) =>
      this.#isAbout(reader, post, one) ||
      (post.author === one && one !== reader && (!this.#doesFollow(reader, one) || this.#isKeptOut(reader, post)))
    person.home = person.home.filter((post) => !persons.some((one) => leaves(post, one)))
  }

  #sweepLists(reader: number, persons: readonly number[]): void {
    for (const list of this.lists) {
      if (list.owner !== reader) continue
      const leaves = (post: OraclePost, one: number) =>
        this.#isAbout(reader, post, one) || (post.author === one && !list.members.has(one))
      list.feed = list.feed.filter((post) => !persons.some((one) => leaves(post, one)))
    }
  }

  /** Whether a post has to do with somebody whom the reader shuns, or who blocks the reader. */
  #isAbout(reader: number, post: OraclePost, person: number): boolean {
    const isBy = [post.author, originalOf(post).author].includes(person)
    const names = post.author !== reader && originalOf(post).mentions.includes(person)
    return this.#shuns(reader, person) ? isBy || names : this.#blocks.has(key(person, reader)) && isBy
  }
}
