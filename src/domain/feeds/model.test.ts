// Slow: plays through random histories.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { FeedOracle } from '../../../test/feed-oracle.ts'
import type { OracleList, OraclePost } from '../../../test/feed-oracle.ts'
import { walkPages } from '../../../test/walk.ts'
import { openWorld } from '../../../test/world.ts'
import type { Person } from '../../../test/world.ts'
import type { List } from '../../entities/list.ts'
import type { Status } from '../../entities/status.ts'

const world = await openWorld()
after(world.close)

const PEOPLE = 4
const RELATING = [
  'follow',
  'follow',
  'follow',
  'follow without boosts',
  'unfollow',
  'block',
  'unblock',
  'mute',
  'unmute',
]
const WRITING = ['post', 'post', 'tag', 'private', 'direct', 'mention', 'reply', 'reply', 'boost', 'boost']
const LISTING = 'add,add,drop,exclusive,open,policy,follow tag,unfollow tag,unboost,unboost,unboost,delete'.split(',')

interface Step {
  action: string
  from: number
  to: number
  /** Which of the posts there are. */
  pick: number
}

const person = fc.nat({ max: PEOPLE - 1 })
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    action: fc.oneof(fc.constantFrom(...RELATING), fc.constantFrom(...WRITING), fc.constantFrom(...LISTING)),
    from: person,
    to: person,
    pick: fc.nat({ max: 1_000 }),
  }),
  { minLength: 20, maxLength: 38 },
)

// Most people know each other from the beginning, and some are on lists: so there is more to happen between them.
const PAIRS = Array.from({ length: PEOPLE * PEOPLE }, (_, n) => ({ from: Math.floor(n / PEOPLE), to: n % PEOPLE }))
const beginnings: fc.Arbitrary<Step[]> = fc
  .tuple(fc.subarray(PAIRS, { minLength: 9 }), fc.subarray(PAIRS))
  .map(([follows, members]) => [
    ...follows.map((pair) => ({ action: 'follow', pick: 0, ...pair })),
    ...members.map((pair) => ({ action: 'add', pick: 0, ...pair })),
  ])
const policies = fc.constantFrom<OracleList['policy'][]>('list', 'followed', 'none')
const settings = fc.tuple(
  ...Array.from({ length: PEOPLE }, () =>
    fc.record({ aggregates: fc.boolean(), policy: policies, exclusive: fc.boolean() }),
  ),
)

let runs = 0

/** Does every deed through the front door, and tells the oracle of those that were not refused. */
class Village {
  readonly people: Person[]
  readonly lists: { id: string }[]
  readonly oracle: FeedOracle
  readonly #tag = `village${(runs += 1)}`

  constructor(people: Person[], lists: { id: string }[], oracle: FeedOracle) {
    this.people = people
    this.lists = lists
    this.oracle = oracle
  }

  async do(step: Step): Promise<void> {
    const { action, from, to } = step
    if (WRITING.includes(action)) await this.#write(step)
    else if (RELATING.includes(action) && from !== to) await this.#relate(step)
    else if (LISTING.includes(action)) await this.#arrange(step)
  }

  async #relate({ action, from, to }: Step): Promise<void> {
    const [verb, boosts] = action === 'follow without boosts' ? ['follow', false] : [action, undefined]
    const path = `/api/v1/accounts/${this.people[to]!.accountId}/${verb}`
    const { status } = await this.people[from]!.client.post(path, boosts === undefined ? {} : { reblogs: boosts })
    if (status !== 200) return
    if (verb === 'follow') this.oracle.follow(from, to, boosts)
    else if (verb === 'unfollow') this.oracle.unfollow(from, to)
    else if (verb === 'block') this.oracle.block(from, to)
    else if (verb === 'unblock') this.oracle.unblock(from, to)
    else if (verb === 'mute') this.oracle.mute(from, to)
    else this.oracle.unmute(from, to)
  }

  async #write({ action, from, to, pick }: Step): Promise<void> {
    const { client } = this.people[from]!
    const parent = this.oracle.posts[pick % (this.oracle.posts.length || 1)]
    if (action === 'boost') {
      if (!parent) return
      const { status, body } = await client.post<Status>(`/api/v1/statuses/${parent.id}/reblog`)
      if (status !== 200 || this.oracle.posts.some(({ id }) => id === body.id)) return
      const boosted = parent.boosted ?? parent
      this.oracle.post(this.#readPost(body, { author: from, boosted }))
      return
    }
    const names = action === 'direct' || action === 'mention' ? `@${this.people[to]!.username}` : ''
    const { status, body } = await client.post<Status>('/api/v1/statuses', {
      status: `Words ${names} ${action === 'tag' ? `#${this.#tag}` : ''}`,
      visibility: action === 'private' || action === 'direct' ? action : 'public',
      ...(action === 'reply' && parent && { in_reply_to_id: parent.id }),
    })
    if (status !== 200) return
    this.oracle.post(this.#readPost(body, { author: from, boosted: null }))
  }

  #readPost(body: Status, { author, boosted }: Pick<OraclePost, 'author' | 'boosted'>): OraclePost {
    const numberOf = (id: string) => this.people.findIndex(({ accountId }) => accountId === id)
    const { id, visibility } = body
    if (boosted) return { id, visibility, author, boosted, answers: null, mentions: [], tagged: false }
    const answers = body.in_reply_to_account_id === null ? null : numberOf(body.in_reply_to_account_id)
    const mentions = body.mentions.map((one) => numberOf(one.id))
    return { id, visibility, author, boosted, answers, mentions, tagged: body.tags.length > 0 }
  }

  async #arrange({ action, from, to, pick }: Step): Promise<void> {
    const { client } = this.people[from]!
    const [{ id }, list] = [this.lists[from]!, this.oracle.lists[from]!]
    const members = { account_ids: [this.people[to]!.accountId] }
    const own = this.oracle.posts.filter(({ author, boosted }) => author === from && !boosted)
    if (action === 'add') {
      if ((await client.post(`/api/v1/lists/${id}/accounts`, members)).status === 200) this.oracle.add(list, to)
    } else if (action === 'drop') {
      await client.delete(`/api/v1/lists/${id}/accounts`, members)
      this.oracle.drop(list, to)
    } else if (action === 'exclusive' || action === 'open') {
      await client.put(`/api/v1/lists/${id}`, { exclusive: action === 'exclusive' })
      this.oracle.setExclusive(list, action === 'exclusive')
    } else if (action === 'policy') {
      list.policy = (['list', 'followed', 'none'] as const)[pick % 3]!
      await client.put(`/api/v1/lists/${id}`, { replies_policy: list.policy })
    } else if (action === 'follow tag') {
      await client.post(`/api/v1/tags/${this.#tag}/follow`)
      this.oracle.people[from]!.followsTag = true
    } else if (action === 'unfollow tag') {
      await client.post(`/api/v1/tags/${this.#tag}/unfollow`)
      this.oracle.unfollowTag(from)
    } else if (action === 'delete' && own.length > 0) {
      const post = own[pick % own.length]!
      assert.equal((await client.delete(`/api/v1/statuses/${post.id}`)).status, 200)
      this.oracle.remove(post)
    } else if (action === 'unboost') {
      const boosts = this.oracle.posts.filter(({ author, boosted }) => author === from && boosted)
      const boost = boosts[pick % (boosts.length || 1)]
      if (!boost) return
      await client.post(`/api/v1/statuses/${boost.boosted!.id}/unreblog`)
      this.oracle.unboost(boost)
    }
  }

  async compare(): Promise<void> {
    for (const [n, { client }] of this.people.entries()) {
      const read = async (path: string) => (await walkPages(client, path)).flat().toSorted()
      const home = await read('/api/v1/timelines/home?limit=40')
      assert.deepEqual(home, this.oracle.shown(n, this.oracle.people[n]!.home).toSorted(), `home of ${n}`)
      const list = await read(`/api/v1/timelines/list/${this.lists[n]!.id}?limit=40`)
      assert.deepEqual(list, this.oracle.shown(n, this.oracle.lists[n]!.feed).toSorted(), `list of ${n}`)
    }
  }
}

test('after any history of deeds everybody’s home and list have what a plain oracle says', async () => {
  await fc.assert(
    fc.asyncProperty(beginnings, steps, settings, async (beginning, history, wishes) => {
      const people = await Promise.all(wishes.map(() => world.createPerson()))
      for (const [n, { aggregates }] of wishes.entries()) {
        await world.ctx.db
          .updateTable('users')
          .set({ aggregate_reblogs: aggregates })
          .where('id', '=', people[n]!.userId)
          .execute()
      }
      const lists: { id: string }[] = []
      for (const [n, { policy, exclusive }] of wishes.entries()) {
        const traits = { title: 'A list', replies_policy: policy, exclusive }
        lists.push((await people[n]!.client.post<List>('/api/v1/lists', traits)).body)
      }
      const oracle = new FeedOracle(
        wishes,
        wishes.map((wish, owner) => ({ ...wish, owner })),
      )
      const village = new Village(people, lists, oracle)
      for (const step of [...beginning, ...history]) {
        await village.do(step)
        await world.settle()
      }
      await village.compare()
    }),
    // A history takes a second, so one that fails is told as it is.
    { numRuns: 15, endOnFailure: true },
  )
})
