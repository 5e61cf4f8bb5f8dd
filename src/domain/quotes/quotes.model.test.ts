// Slow: compares the server with a model over random sequences of actions.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { uniqueAddressHeaders } from '../../../test/http/browser.ts'
import type { ClientResponse } from '../../../test/http/client.ts'
import { assertEntity } from '../../../test/http/entities/entity-schemas.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'
import type { TestUser } from '../../../test/servers/test-server.ts'

const testServer = await openTestServer({ effects: false })
after(testServer.close)

const ACCOUNTS = 3
const STATUS_ACTIONS = ['post', 'post', 'quote', 'quote', 'quote', 'quote', 'revoke', 'delete', 'policy']
const RELATIONSHIP_ACTIONS = ['block', 'unblock', 'mute', 'unmute', 'follow', 'unfollow']
const VISIBILITIES = ['public', 'public', 'unlisted', 'private', 'direct'] as const
const POLICIES = ['public', 'public', 'followers', 'nobody'] as const

const step = fc.record({
  action: fc.constantFrom(...STATUS_ACTIONS, ...RELATIONSHIP_ACTIONS),
  actor: fc.nat(ACCOUNTS - 1),
  target: fc.nat(ACCOUNTS - 1),
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
  isDeleted: boolean
}

/** The expected behaviour, as a second implementation of the rules. */
class Model {
  readonly users: TestUser[]
  readonly posts: Post[] = []
  readonly blocks = new Set<string>()
  readonly mutes = new Set<string>()
  readonly follows = new Set<string>()

  constructor(users: TestUser[]) {
    this.users = users
  }

  /** `null` stands for an anonymous viewer. */
  canSee(viewer: number | null, post: Post): boolean {
    if (post.isDeleted) return false
    if (viewer === post.author) return true
    if (viewer !== null && this.blocks.has(`${post.author} ${viewer}`)) return false
    if (post.visibility === 'public' || post.visibility === 'unlisted') return true
    if (viewer === null) return false
    // The quoted author may read the quoting status.
    if (post.quoted?.author === viewer) return true
    return post.visibility === 'private' && this.follows.has(`${viewer} ${post.author}`)
  }

  approvalFor(viewer: number | null, post: Post): string {
    if (viewer === null || post.visibility === 'direct') return 'denied'
    if (viewer === post.author) return 'automatic'
    const [outgoing, incoming] = [`${viewer} ${post.author}`, `${post.author} ${viewer}`]
    if (post.visibility === 'private' || this.blocks.has(outgoing) || this.blocks.has(incoming)) return 'denied'
    if (post.policy === 'public') return 'automatic'
    return post.policy === 'followers' && this.follows.has(outgoing) ? 'automatic' : 'denied'
  }

  stateFor(viewer: number | null, post: Post): string | null {
    const { quoted } = post
    if (!quoted) return null
    if (post.state !== 'accepted') return post.state
    if (quoted.isDeleted) return 'deleted'
    if (!this.canSee(viewer, quoted)) return 'unauthorized'
    if (this.blocks.has(`${viewer} ${quoted.author}`)) return 'blocked_account'
    return this.mutes.has(`${viewer} ${quoted.author}`) ? 'muted_account' : 'accepted'
  }

  quotesOf(post: Post): Post[] {
    return this.posts.filter((one) => one.quoted === post && one.state === 'accepted' && !one.isDeleted)
  }

  async act({ action, actor, target, pick, visibility, policy }: Step): Promise<void> {
    const { client } = this.users[actor]!
    const live = this.posts.filter((post) => !post.isDeleted)
    const post = live[pick % (live.length || 1)]
    const postStatus = (body: object) =>
      client.post('/api/v1/statuses', { status: 'words', visibility, quote_approval_policy: policy, ...body })
    const record = (id: string, quoted: Post | null, effectiveVisibility: string) => {
      const isPubliclyVisible = effectiveVisibility === 'public' || effectiveVisibility === 'unlisted'
      const effectivePolicy = isPubliclyVisible ? policy : 'nobody'
      this.posts.push({
        id,
        author: actor,
        visibility: effectiveVisibility,
        policy: effectivePolicy,
        quoted,
        state: 'accepted',
        isDeleted: false,
      })
    }
    if (action === 'post') {
      const { body } = await postStatus({})
      record(body.id, null, visibility)
    } else if (action === 'quote' && post) {
      const { status, body } = await postStatus({ quoted_status_id: post.id })
      const isAllowed = this.canSee(actor, post) && this.approvalFor(actor, post) === 'automatic'
      // A direct status must mention the quoted author, and this one mentions no account.
      const lacksMention = visibility === 'direct' && post.author !== actor
      assert.equal(status, !isAllowed ? 404 : lacksMention ? 422 : 200)
      const effectiveVisibility = post.visibility === 'private' && visibility !== 'direct' ? 'private' : visibility
      if (status === 200) record(body.id, post, effectiveVisibility)
    } else if (action === 'revoke' && post?.quoted) {
      const { quoted } = post
      const { status } = await client.post(`/api/v1/statuses/${quoted.id}/quotes/${post.id}/revoke`)
      const isVisible = this.canSee(actor, quoted) && (quoted.author === actor || this.canSee(actor, post))
      assert.equal(status, !isVisible ? 404 : quoted.author === actor ? 200 : 403)
      if (status === 200) post.state = 'revoked'
    } else if (action === 'delete' && post) {
      const { status } = await client.delete(`/api/v1/statuses/${post.id}`)
      assert.equal(status, post.author === actor ? 200 : 404)
      if (status === 200) post.isDeleted = true
    } else if (action === 'policy' && post) {
      const path = `/api/v1/statuses/${post.id}/interaction_policy`
      const { status } = await client.put(path, { quote_approval_policy: policy })
      assert.equal(status, post.author === actor ? 200 : 404)
      const isPubliclyVisible = post.visibility === 'public' || post.visibility === 'unlisted'
      if (status === 200 && isPubliclyVisible) post.policy = policy
    } else if (actor !== target) await this.relate(action, actor, target)
  }

  async relate(action: string, actor: number, target: number): Promise<void> {
    const [outgoing, incoming] = [`${actor} ${target}`, `${target} ${actor}`]
    const { status } = await this.users[actor]!.client.post(
      `/api/v1/accounts/${this.users[target]!.accountId}/${action}`,
    )
    if (action === 'block') {
      this.blocks.add(outgoing)
      this.follows.delete(outgoing)
      this.follows.delete(incoming)
    }
    if (action === 'unblock') this.blocks.delete(outgoing)
    if (action === 'mute') this.mutes.add(outgoing)
    if (action === 'unmute') this.mutes.delete(outgoing)
    if (action === 'follow' && status === 200) this.follows.add(outgoing)
    if (action === 'unfollow') this.follows.delete(outgoing)
  }

  async check(): Promise<void> {
    for (const viewer of [null, 0, 1, 2]) {
      for (const post of this.posts) {
        const { status, body } = await this.read(viewer, post)
        assert.equal(status, this.canSee(viewer, post) ? 200 : 404)
        if (status !== 200) continue
        assertEntity('Status', body)
        const state = this.stateFor(viewer, post)
        const isIncluded = ['accepted', 'blocked_account', 'muted_account'].includes(state ?? '')
        assert.deepEqual(
          [body.quote?.state ?? null, body.quote?.quoted_status?.id ?? null],
          [state, isIncluded ? post.quoted!.id : null],
        )
        const innerState = isIncluded ? this.stateFor(viewer, post.quoted!) : null
        assert.equal(body.quote?.quoted_status?.quote?.state ?? null, innerState)
        assert.deepEqual(
          [body.quotes_count, body.quote_approval.current_user],
          [this.quotesOf(post).length, this.approvalFor(viewer, post)],
        )
        if (viewer !== null) await this.checkList(viewer, post)
      }
    }
  }

  /** Sends anonymous requests from different IP addresses, because their number exceeds the limit of one address. */
  async read(viewer: number | null, { id }: Post): Promise<ClientResponse> {
    const url = `/api/v1/statuses/${id}`
    if (viewer !== null) return this.users[viewer]!.client.get(url)
    return testServer.anonymous.send({ method: 'GET', url, headers: uniqueAddressHeaders() })
  }

  async checkList(viewer: number, post: Post): Promise<void> {
    const { body } = await this.users[viewer]!.client.get(`/api/v1/statuses/${post.id}/quotes`, { limit: 80 })
    const isListed = ({ author }: Post) =>
      ![`${viewer} ${author}`, `${author} ${viewer}`].some((pair) => this.blocks.has(pair)) &&
      !this.mutes.has(`${viewer} ${author}`)
    const listed = this.quotesOf(post).filter(
      (one) => viewer === post.author || (this.canSee(viewer, one) && isListed(one)),
    )
    assert.deepEqual(
      body.map(({ id }: { id: string }) => id),
      listed.map(({ id }) => id).toReversed(),
    )
  }
}

test('after any sequence of actions, each viewer gets the quotes that the model expects, and all counters are exact', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 10, maxLength: 40 }), async (steps) => {
      const users = await Promise.all(Array.from({ length: ACCOUNTS }, async () => testServer.createUser()))
      const model = new Model(users)
      for (const action of steps) await model.act(action)
      await model.check()
    }),
    { numRuns: 25 },
  )
})
