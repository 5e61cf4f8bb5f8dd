// Slow: runs random sequences of actions.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { FeedOracle } from '../../../../test/oracles/feed-oracle.ts'
import type { OracleList, OraclePost } from '../../../../test/oracles/feed-oracle-records.ts'
import { walkPages } from '../../../../test/http/walk-pages.ts'
import { openTestServer } from '../../../../test/servers/test-server.ts'
import type { TestUser } from '../../../../test/servers/test-server.ts'
import type { List } from '../../../entities/accounts/list.ts'
import type { Status } from '../../../entities/statuses/status.ts'

const testServer = await openTestServer()
after(testServer.close)

const USER_COUNT = 4
const RELATIONSHIP_ACTIONS = [
  'follow',
  'follow',
  'follow',
  'follow without reblogs',
  'unfollow',
  'block',
  'unblock',
  'mute',
  'unmute',
]
const STATUS_ACTIONS = ['post', 'post', 'tag', 'private', 'direct', 'mention', 'reply', 'reply', 'reblog', 'reblog']
const OTHER_ACTIONS =
  'add,add,drop,exclusive,open,policy,follow tag,unfollow tag,unreblog,unreblog,unreblog,delete,edit,edit mention,edit mention,edit tag'.split(
    ',',
  )

interface Step {
  action: string
  from: number
  to: number
  /** Selects one of the existing posts. */
  pick: number
}

const userIndex = fc.nat({ max: USER_COUNT - 1 })
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.record({
    action: fc.oneof(
      fc.constantFrom(...RELATIONSHIP_ACTIONS),
      fc.constantFrom(...STATUS_ACTIONS),
      fc.constantFrom(...OTHER_ACTIONS),
    ),
    from: userIndex,
    to: userIndex,
    pick: fc.nat({ max: 1_000 }),
  }),
  { minLength: 20, maxLength: 38 },
)

// Most users follow each other from the beginning, and some are on lists, so that more actions have an effect.
const PAIRS = Array.from({ length: USER_COUNT * USER_COUNT }, (_, n) => ({
  from: Math.floor(n / USER_COUNT),
  to: n % USER_COUNT,
}))
const initialSteps: fc.Arbitrary<Step[]> = fc
  .tuple(fc.subarray(PAIRS, { minLength: 9 }), fc.subarray(PAIRS))
  .map(([follows, members]) => [
    ...follows.map((pair) => ({ action: 'follow', pick: 0, ...pair })),
    ...members.map((pair) => ({ action: 'add', pick: 0, ...pair })),
  ])
const policies = fc.constantFrom<OracleList['policy'][]>('list', 'followed', 'none')
const settings = fc.tuple(
  ...Array.from({ length: USER_COUNT }, () =>
    fc.record({ aggregates: fc.boolean(), policy: policies, exclusive: fc.boolean() }),
  ),
)

let runs = 0

/** Performs each step by the API, and passes those that the server does not refuse to the oracle. */
class ModelRun {
  readonly users: TestUser[]
  readonly lists: { id: string }[]
  readonly oracle: FeedOracle
  readonly #tag = `run${(runs += 1)}`

  constructor(users: TestUser[], lists: { id: string }[], oracle: FeedOracle) {
    this.users = users
    this.lists = lists
    this.oracle = oracle
  }

  async perform(step: Step): Promise<void> {
    const { action, from, to } = step
    if (STATUS_ACTIONS.includes(action)) await this.#createStatus(step)
    else if (RELATIONSHIP_ACTIONS.includes(action) && from !== to) await this.#changeRelationship(step)
    else if (OTHER_ACTIONS.includes(action)) await this.#performOther(step)
  }

  async #changeRelationship({ action, from, to }: Step): Promise<void> {
    const [path, reblogs] = action === 'follow without reblogs' ? ['follow', false] : [action, undefined]
    const url = `/api/v1/accounts/${this.users[to]!.accountId}/${path}`
    const { status } = await this.users[from]!.client.post(url, reblogs === undefined ? {} : { reblogs })
    if (status !== 200) return
    if (path === 'follow') this.oracle.follow(from, to, reblogs)
    else if (path === 'unfollow') this.oracle.unfollow(from, to)
    else if (path === 'block') this.oracle.block(from, to)
    else if (path === 'unblock') this.oracle.unblock(from, to)
    else if (path === 'mute') this.oracle.mute(from, to)
    else this.oracle.unmute(from, to)
  }

  async #createStatus({ action, from, to, pick }: Step): Promise<void> {
    const { client } = this.users[from]!
    const parent = this.oracle.posts[pick % (this.oracle.posts.length || 1)]
    if (action === 'reblog') {
      if (!parent) return
      const { status, body } = await client.post<Status>(`/api/v1/statuses/${parent.id}/reblog`)
      if (status !== 200 || this.oracle.posts.some(({ id }) => id === body.id)) return
      const original = parent.reblogOf ?? parent
      this.oracle.post(this.#readPost(body, { author: from, reblogOf: original }))
      return
    }
    const names = action === 'direct' || action === 'mention' ? `@${this.users[to]!.username}` : ''
    const { status, body } = await client.post<Status>('/api/v1/statuses', {
      status: `Words ${names} ${action === 'tag' ? `#${this.#tag}` : ''}`,
      visibility: action === 'private' || action === 'direct' ? action : 'public',
      ...(action === 'reply' && parent && { in_reply_to_id: parent.id }),
    })
    if (status !== 200) return
    this.oracle.post(this.#readPost(body, { author: from, reblogOf: null }))
  }

  #readPost(body: Status, { author, reblogOf }: Pick<OraclePost, 'author' | 'reblogOf'>): OraclePost {
    const indexOf = (id: string) => this.users.findIndex(({ accountId }) => accountId === id)
    const { id, visibility } = body
    const post = { id, visibility, author, reblogOf }
    if (reblogOf) return { ...post, inReplyTo: null, mentions: [], addressed: [], tagged: false }
    const inReplyTo = body.in_reply_to_account_id === null ? null : indexOf(body.in_reply_to_account_id)
    const mentions = body.mentions.map((one) => indexOf(one.id))
    return { ...post, inReplyTo, mentions, addressed: mentions, tagged: body.tags.length > 0 }
  }

  async #performOther({ action, from, to, pick }: Step): Promise<void> {
    const { client } = this.users[from]!
    const [{ id }, list] = [this.lists[from]!, this.oracle.lists[from]!]
    const members = { account_ids: [this.users[to]!.accountId] }
    const own = this.oracle.posts.filter(({ author, reblogOf }) => author === from && !reblogOf)
    if (action === 'add') {
      if ((await client.post(`/api/v1/lists/${id}/accounts`, members)).status === 200) this.oracle.add(list, to)
    } else if (action === 'drop') {
      await client.delete(`/api/v1/lists/${id}/accounts`, members)
      this.oracle.removeMember(list, to)
    } else if (action === 'exclusive' || action === 'open') {
      await client.put(`/api/v1/lists/${id}`, { exclusive: action === 'exclusive' })
      this.oracle.setExclusive(list, action === 'exclusive')
    } else if (action === 'policy') {
      list.policy = (['list', 'followed', 'none'] as const)[pick % 3]!
      await client.put(`/api/v1/lists/${id}`, { replies_policy: list.policy })
    } else if (action === 'follow tag') {
      await client.post(`/api/v1/tags/${this.#tag}/follow`)
      this.oracle.accounts[from]!.followsTag = true
    } else if (action === 'unfollow tag') {
      await client.post(`/api/v1/tags/${this.#tag}/unfollow`)
      this.oracle.unfollowTag(from)
    } else if (action === 'delete' && own.length > 0) {
      const post = own[pick % own.length]!
      assert.equal((await client.delete(`/api/v1/statuses/${post.id}`)).status, 200)
      this.oracle.remove(post)
    } else if (action.startsWith('edit') && own.length > 0) {
      const post = own[pick % own.length]!
      const more = { edit: '', 'edit mention': `@${this.users[to]!.username}`, 'edit tag': `#${this.#tag}` }[action]
      const { status, body } = await client.put<Status>(`/api/v1/statuses/${post.id}`, { status: `Edited ${more}` })
      assert.equal(status, 200)
      this.oracle.edit(post, this.#readPost(body, post))
    } else if (action === 'unreblog') {
      const reblogs = this.oracle.posts.filter(({ author, reblogOf }) => author === from && reblogOf)
      const reblog = reblogs[pick % (reblogs.length || 1)]
      if (!reblog) return
      await client.post(`/api/v1/statuses/${reblog.reblogOf!.id}/unreblog`)
      this.oracle.unreblog(reblog)
    }
  }

  async compare(): Promise<void> {
    for (const [n, { client }] of this.users.entries()) {
      const read = async (path: string) => (await walkPages(client, path)).flat().toSorted()
      const home = await read('/api/v1/timelines/home?limit=40')
      assert.deepEqual(home, this.oracle.visibleEntries(n, this.oracle.accounts[n]!.home).toSorted(), `home of ${n}`)
      const list = await read(`/api/v1/timelines/list/${this.lists[n]!.id}?limit=40`)
      assert.deepEqual(list, this.oracle.visibleEntries(n, this.oracle.lists[n]!.feed).toSorted(), `list of ${n}`)
    }
  }
}

test('after any sequence of actions, home feeds and lists have the entries that a simple oracle predicts', async () => {
  await fc.assert(
    fc.asyncProperty(initialSteps, steps, settings, async (setup, actions, userSettings) => {
      const users = await Promise.all(userSettings.map(() => testServer.createUser()))
      for (const [n, { aggregates }] of userSettings.entries()) {
        await testServer.ctx.db
          .updateTable('users')
          .set({ aggregate_reblogs: aggregates })
          .where('id', '=', users[n]!.userId)
          .execute()
      }
      const lists: { id: string }[] = []
      for (const [n, { policy, exclusive }] of userSettings.entries()) {
        const traits = { title: 'A list', replies_policy: policy, exclusive }
        lists.push((await users[n]!.client.post<List>('/api/v1/lists', traits)).body)
      }
      const oracle = new FeedOracle(
        userSettings,
        userSettings.map((one, owner) => ({ ...one, owner })),
      )
      const run = new ModelRun(users, lists, oracle)
      for (const step of [...setup, ...actions]) {
        await run.perform(step)
        await testServer.waitForJobs()
      }
      await run.compare()
    }),
    // A run takes a second, so a failing sequence is reported without shrinking.
    { numRuns: 15, endOnFailure: true },
  )
})
