// Slow: plays through random histories.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { fromSomewhere } from '../../../test/browser.ts'
import type { Answer } from '../../../test/client.ts'
import { assertOnWire } from '../../../test/wire.ts'
import { openWorld } from '../../../test/world.ts'
import type { Person } from '../../../test/world.ts'

const world = await openWorld({ effects: false })
after(world.close)

const PEOPLE = 3
const WRITING = ['post', 'post', 'quote', 'quote', 'quote', 'quote', 'revoke', 'delete', 'policy']
const RELATING = ['block', 'unblock', 'mute', 'unmute', 'follow', 'unfollow']
const VISIBILITIES = ['public', 'public', 'unlisted', 'private', 'direct'] as const
const POLICIES = ['public', 'public', 'followers', 'nobody'] as const

const step = fc.record({
  action: fc.constantFrom(...WRITING, ...RELATING),
  who: fc.nat(PEOPLE - 1),
  whom: fc.nat(PEOPLE - 1),
  pick: fc.nat(1_000),
  visibility: fc.constantFrom(...VISIBILITIES),
  policy: fc.constantFrom(...POLICIES),
})
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never

interface Post {
  id: string
  author: number
  visibility: string
  policy: string
  quoted: Post | null
  state: 'accepted' | 'revoked'
  isGone: boolean
}

/** What the rules say, in plain words, beside what the server says. */
class Village {
  readonly people: Person[]
  readonly posts: Post[] = []
  readonly blocks = new Set<string>()
  readonly mutes = new Set<string>()
  readonly follows = new Set<string>()

  constructor(people: Person[]) {
    this.people = people
  }

  /** `null` stands for somebody unknown. */
  sees(viewer: number | null, post: Post): boolean {
    if (post.isGone) return false
    if (viewer === post.author) return true
    if (viewer !== null && this.blocks.has(`${post.author} ${viewer}`)) return false
    if (post.visibility === 'public' || post.visibility === 'unlisted') return true
    if (viewer === null) return false
    // Whoever is quoted may read it.
    if (post.quoted?.author === viewer) return true
    return post.visibility === 'private' && this.follows.has(`${viewer} ${post.author}`)
  }

  verdict(viewer: number | null, post: Post): string {
    if (viewer === null || post.visibility === 'direct') return 'denied'
    if (viewer === post.author) return 'automatic'
    const [there, back] = [`${viewer} ${post.author}`, `${post.author} ${viewer}`]
    if (post.visibility === 'private' || this.blocks.has(there) || this.blocks.has(back)) return 'denied'
    if (post.policy === 'public') return 'automatic'
    return post.policy === 'followers' && this.follows.has(there) ? 'automatic' : 'denied'
  }

  stateFor(viewer: number | null, post: Post): string | null {
    const { quoted } = post
    if (!quoted) return null
    if (post.state !== 'accepted') return post.state
    if (quoted.isGone) return 'deleted'
    if (!this.sees(viewer, quoted)) return 'unauthorized'
    if (this.blocks.has(`${viewer} ${quoted.author}`)) return 'blocked_account'
    return this.mutes.has(`${viewer} ${quoted.author}`) ? 'muted_account' : 'accepted'
  }

  quotesOf(post: Post): Post[] {
    return this.posts.filter((one) => one.quoted === post && one.state === 'accepted' && !one.isGone)
  }

  async act({ action, who, whom, pick, visibility, policy }: Step): Promise<void> {
    const { client } = this.people[who]!
    const live = this.posts.filter((post) => !post.isGone)
    const post = live[pick % (live.length || 1)]
    const say = (body: object) =>
      client.post('/api/v1/statuses', { status: 'words', visibility, quote_approval_policy: policy, ...body })
    const keep = (id: string, quoted: Post | null, shown: string) => {
      const isOpen = shown === 'public' || shown === 'unlisted'
      const terms = isOpen ? policy : 'nobody'
      this.posts.push({ id, author: who, visibility: shown, policy: terms, quoted, state: 'accepted', isGone: false })
    }
    if (action === 'post') {
      const { body } = await say({})
      keep(body.id, null, visibility)
    } else if (action === 'quote' && post) {
      const { status, body } = await say({ quoted_status_id: post.id })
      const may = this.sees(who, post) && this.verdict(who, post) === 'automatic'
      // A direct post reaches only whom it mentions, and this one mentions nobody.
      const isAlone = visibility === 'direct' && post.author !== who
      assert.equal(status, !may ? 404 : isAlone ? 422 : 200)
      const shown = post.visibility === 'private' && visibility !== 'direct' ? 'private' : visibility
      if (status === 200) keep(body.id, post, shown)
    } else if (action === 'revoke' && post?.quoted) {
      const { quoted } = post
      const { status } = await client.post(`/api/v1/statuses/${quoted.id}/quotes/${post.id}/revoke`)
      const isSeen = this.sees(who, quoted) && (quoted.author === who || this.sees(who, post))
      assert.equal(status, !isSeen ? 404 : quoted.author === who ? 200 : 403)
      if (status === 200) post.state = 'revoked'
    } else if (action === 'delete' && post) {
      const { status } = await client.delete(`/api/v1/statuses/${post.id}`)
      assert.equal(status, post.author === who ? 200 : 404)
      if (status === 200) post.isGone = true
    } else if (action === 'policy' && post) {
      const path = `/api/v1/statuses/${post.id}/interaction_policy`
      const { status } = await client.put(path, { quote_approval_policy: policy })
      assert.equal(status, post.author === who ? 200 : 404)
      const isOpen = post.visibility === 'public' || post.visibility === 'unlisted'
      if (status === 200 && isOpen) post.policy = policy
    } else if (who !== whom) await this.relate(action, who, whom)
  }

  async relate(action: string, who: number, whom: number): Promise<void> {
    const [there, back] = [`${who} ${whom}`, `${whom} ${who}`]
    const { status } = await this.people[who]!.client.post(`/api/v1/accounts/${this.people[whom]!.accountId}/${action}`)
    if (action === 'block') {
      this.blocks.add(there)
      this.follows.delete(there)
      this.follows.delete(back)
    }
    if (action === 'unblock') this.blocks.delete(there)
    if (action === 'mute') this.mutes.add(there)
    if (action === 'unmute') this.mutes.delete(there)
    if (action === 'follow' && status === 200) this.follows.add(there)
    if (action === 'unfollow') this.follows.delete(there)
  }

  async check(): Promise<void> {
    for (const viewer of [null, 0, 1, 2]) {
      for (const post of this.posts) {
        const { status, body } = await this.read(viewer, post)
        assert.equal(status, this.sees(viewer, post) ? 200 : 404)
        if (status !== 200) continue
        assertOnWire('Status', body)
        const state = this.stateFor(viewer, post)
        const isHad = ['accepted', 'blocked_account', 'muted_account'].includes(state ?? '')
        assert.deepEqual(
          [body.quote?.state ?? null, body.quote?.quoted_status?.id ?? null],
          [state, isHad ? post.quoted!.id : null],
        )
        const inner = isHad ? this.stateFor(viewer, post.quoted!) : null
        assert.equal(body.quote?.quoted_status?.quote?.state ?? null, inner)
        assert.deepEqual(
          [body.quotes_count, body.quote_approval.current_user],
          [this.quotesOf(post).length, this.verdict(viewer, post)],
        )
        if (viewer !== null) await this.checkList(viewer, post)
      }
    }
  }

  /** Strangers come from everywhere, since all that they look at is more than one of them may. */
  async read(viewer: number | null, { id }: Post): Promise<Answer> {
    const url = `/api/v1/statuses/${id}`
    if (viewer !== null) return this.people[viewer]!.client.get(url)
    return world.anonymous.send({ method: 'GET', url, headers: fromSomewhere() })
  }

  async checkList(viewer: number, post: Post): Promise<void> {
    const { body } = await this.people[viewer]!.client.get(`/api/v1/statuses/${post.id}/quotes`, { limit: 80 })
    const isWanted = ({ author }: Post) =>
      ![`${viewer} ${author}`, `${author} ${viewer}`].some((pair) => this.blocks.has(pair)) &&
      !this.mutes.has(`${viewer} ${author}`)
    const listed = this.quotesOf(post).filter(
      (one) => viewer === post.author || (this.sees(viewer, one) && isWanted(one)),
    )
    assert.deepEqual(
      body.map(({ id }: { id: string }) => id),
      listed.map(({ id }) => id).toReversed(),
    )
  }
}

test('whatever people do, each sees of every quote what the rules say, and every count is exact', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
      const people = await Promise.all(Array.from({ length: PEOPLE }, async () => world.createPerson()))
      const village = new Village(people)
      for (const one of steps) await village.act(one)
      await village.check()
    }),
    { numRuns: 25 },
  )
})
