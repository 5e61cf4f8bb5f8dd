import { sql } from 'kysely'
import { revokeTokens } from '../../src/domain/auth/access-tokens.ts'
import type { Poll } from '../../src/entities/statuses/poll.ts'
import { hashSecret, generateSecret } from '../../src/lib/secrets.ts'
import { createClient } from '../http/client.ts'
import type { Client } from '../http/client.ts'
import type { UncachedServer } from '../servers/uncached-server.ts'
import { HOST, createRemoteAccount, createRemoteStatus } from '../federation/remote-records.ts'
import type { TestUser, TestServer } from '../servers/test-server.ts'

export interface RandomAction {
  name: string
  /** The actor and the target, as indexes of the users. */
  from: number
  to: number
  /** The index of the status, counted from the newest. */
  pick: number
  /** Whether the request is sent to the other server. */
  onOtherServer: boolean
}

export interface ActivityUser extends TestUser {
  /** The tokens that the user has had; the last one is current. */
  tokens: string[]
  listId: string
}

interface KnownStatus {
  id: string
  author: number
  poll: Poll | null
}

/** The actor, the target, and a status each of all statuses, of the actor's own, and of those with a poll. */
interface ActionContext {
  client: Client
  actor: ActivityUser
  target: ActivityUser
  from: number
  pick: number
  any: KnownStatus | undefined
  own: KnownStatus | undefined
  poll: KnownStatus | undefined
}

/** A few users and a remote account that interact at random. */
export class RandomActivity {
  readonly testServer: TestServer
  readonly otherServer: UncachedServer
  readonly users: ActivityUser[]
  readonly remoteAccountId: string
  statuses: KnownStatus[] = []

  private constructor(
    { testServer, otherServer }: { testServer: TestServer; otherServer: UncachedServer },
    { users, remoteAccountId }: { users: ActivityUser[]; remoteAccountId: string },
  ) {
    this.testServer = testServer
    this.otherServer = otherServer
    this.users = users
    this.remoteAccountId = remoteAccountId
  }

  static async open(
    servers: { testServer: TestServer; otherServer: UncachedServer },
    { size }: { size: number },
  ): Promise<RandomActivity> {
    const { testServer } = servers
    const { db } = testServer.ctx
    const remoteAccountId = await createRemoteAccount(testServer.ctx)
    const { rows: apps } = await sql<{ id: string }>`
      insert into applications (name, redirect_uris, scopes, client_id, client_secret_hash)
      values ('An app', '{}', '{}', ${remoteAccountId}, '\\x00') returning id`.execute(db)
    const users: ActivityUser[] = []
    for (let n = 0; n < size; n += 1) {
      const user = await testServer.createUser({ displayName: 'user :blob:' })
      const { body } = await user.client.post('/api/v1/lists', { title: 'A list' })
      users.push({ ...user, tokens: [user.token], listId: body.id })
      await sql`update access_tokens set application_id = ${apps[0]!.id} where user_id = ${user.userId}`.execute(db)
    }
    const followerIds = users.filter((_, n) => n % 2 === 0).map(({ accountId }) => accountId)
    await sql`insert into follows (account_id, target_account_id)
      select unnest(${followerIds}::bigint[]), ${remoteAccountId}`.execute(db)
    return new RandomActivity(servers, { users, remoteAccountId })
  }

  async perform({ name, from, to, pick, onOtherServer: otherServer }: RandomAction): Promise<void> {
    const actor = this.users[from]!
    const server = otherServer ? this.otherServer.server : this.testServer.server
    const choose = (candidates: KnownStatus[]) => candidates.at(-1 - (pick % (candidates.length || 1)))
    const { statuses } = this
    await ACTIONS[name]!(this, {
      client: createClient(server, { token: actor.tokens.at(-1) }),
      actor,
      target: this.users[to]!,
      from,
      pick,
      any: choose(statuses),
      own: choose(statuses.filter(({ author }) => author === from)),
      poll: choose(statuses.filter(({ poll }) => poll !== null)),
    })
    await this.testServer.waitForJobs()
  }

  async post({ client, from }: ActionContext, body: object): Promise<void> {
    const { status, body: created } = await client.post('/api/v1/statuses', body)
    if (status === 200) this.statuses.push({ id: created.id, author: from, poll: created.poll })
  }
}

type PerformAction = (randomActivity: RandomActivity, context: ActionContext) => Promise<unknown>

const statusAction =
  (action: string, which: 'any' | 'own' = 'any'): PerformAction =>
  async (_, context) =>
    context[which] && context.client.post(`/api/v1/statuses/${context[which].id}/${action}`)
const accountAction =
  (action: string, body?: object): PerformAction =>
  async (_, { client, target }) =>
    client.post(`/api/v1/accounts/${target.accountId}/${action}`, body)
const post =
  (body: (context: ActionContext) => object): PerformAction =>
  async (randomActivity, context) =>
    randomActivity.post(context, { status: `Some words :blob: ${context.pick}`, ...body(context) })

async function findRemoteAccount({ ctx }: TestServer, id: string): Promise<{ username: string; uri: string }> {
  return ctx.db.selectFrom('accounts').select(['username', 'uri']).where('id', '=', id).executeTakeFirstOrThrow()
}

export const ACTIONS: Record<string, PerformAction> = {
  post: post(() => ({})),
  warn: post(() => ({ spoiler_text: 'words' })),
  mention: post(({ target }) => ({ status: `Hello @${target.username}`, visibility: 'direct' })),
  'mention a remote account': async (randomActivity, context) => {
    const { testServer, remoteAccountId } = randomActivity
    const { username } = await findRemoteAccount(testServer, remoteAccountId)
    await randomActivity.post(context, { status: `Hello @${username}@${new URL(HOST).host}` })
  },
  'rename the remote account': async ({ testServer, remoteAccountId }) => {
    const { uri } = await findRemoteAccount(testServer, remoteAccountId)
    await createRemoteAccount(testServer.ctx, { uri, handleProven: true })
  },
  'post to followers': post(() => ({ visibility: 'private' })),
  reply: post(({ any }) => ({ in_reply_to_id: any?.id })),
  quote: post(({ any }) => ({ quoted_status_id: any?.id })),
  'post a poll': post(({ pick }) => ({
    poll: { options: ['tea', ':blob:', 'words'], expires_in: 3_600, multiple: pick % 2 === 0 },
  })),
  vote: async (_, { client, poll, pick }) =>
    poll && client.post(`/api/v1/polls/${poll.poll!.id}/votes`, { choices: [pick % 3] }),
  'end a poll': async ({ testServer }, { poll }) =>
    poll && sql`update polls set expires_at = now() where id = ${poll.poll!.id}`.execute(testServer.ctx.db),
  edit: async (_, { client, own, pick }) =>
    own && client.put(`/api/v1/statuses/${own.id}`, { status: `Other words ${pick}`, language: 'en' }),
  'edit a poll': async (_, { client, own }) =>
    own && client.put(`/api/v1/statuses/${own.id}`, { status: 'x', poll: { options: ['a', 'b'], expires_in: 3_600 } }),
  delete: async (randomActivity, { client, own }) => {
    if (own && (await client.delete(`/api/v1/statuses/${own.id}`)).status === 200)
      randomActivity.statuses = randomActivity.statuses.filter((one) => one !== own)
  },
  'change a quote policy': async (_, { client, own, pick }) =>
    own &&
    client.put(`/api/v1/statuses/${own.id}/interaction_policy`, {
      quote_approval_policy: ['public', 'followers', 'nobody'][pick % 3],
    }),
  'revoke a quote': async (_, { client, own }) => {
    if (!own) return
    const { body } = await client.get(`/api/v1/statuses/${own.id}/quotes`)
    if (body[0]) await client.post(`/api/v1/statuses/${own.id}/quotes/${body[0].id}/revoke`)
  },
  'delete a quote': async ({ testServer }) =>
    sql`delete from quotes where id = (select max(id) from quotes)`.execute(testServer.ctx.db),
  'delete mentions': async ({ testServer }) =>
    sql`with deleted as (
        delete from mentions where status_id = (select max(status_id) from mentions) returning status_id)
      update statuses set version = version + 1 where id in (select status_id from deleted)`.execute(testServer.ctx.db),
  reblog: statusAction('reblog'),
  unreblog: statusAction('unreblog'),
  favourite: statusAction('favourite'),
  unfavourite: statusAction('unfavourite'),
  bookmark: statusAction('bookmark'),
  unbookmark: statusAction('unbookmark'),
  'mute conversation': statusAction('mute'),
  'unmute conversation': statusAction('unmute'),
  pin: statusAction('pin', 'own'),
  unpin: statusAction('unpin', 'own'),
  follow: accountAction('follow'),
  unfollow: accountAction('unfollow'),
  'remove a follower': accountAction('remove_from_followers'),
  mute: accountAction('mute'),
  'mute without notifications': accountAction('mute', { notifications: false }),
  unmute: accountAction('unmute'),
  'expire a mute': async ({ testServer }, { actor }) =>
    sql`update mutes set expires_at = now() where account_id = ${actor.accountId}`.execute(testServer.ctx.db),
  block: accountAction('block'),
  unblock: accountAction('unblock'),
  'block a domain': async (_, { client }) => client.post('/api/v1/domain_blocks', { domain: new URL(HOST).host }),
  'unblock a domain': async (_, { client }) => client.delete('/api/v1/domain_blocks', { domain: new URL(HOST).host }),
  'follow a remote account': async ({ testServer, remoteAccountId }, { actor }) =>
    sql`insert into follows (account_id, target_account_id) values (${actor.accountId}, ${remoteAccountId})
      on conflict do nothing`.execute(testServer.ctx.db),
  'receive a remote status': async (randomActivity) => {
    const id = await createRemoteStatus(randomActivity.testServer.ctx, { accountId: randomActivity.remoteAccountId })
    randomActivity.statuses.push({ id, author: -1, poll: null })
  },
  // A late effect may add entries that are hidden by then; reading a feed has to omit them.
  'fill all feeds': async ({ testServer, users, statuses }) =>
    sql`insert into feed_entries (account_id, status_id, original_id)
      select f.id, s.id, coalesce(s.reblog_of_id, s.id)
      from unnest(${users.map((one) => one.accountId)}::bigint[]) f (id),
        statuses s where s.id = any(${statuses.map((one) => one.id)}) or s.reblog_of_id = any(${statuses.map((one) => one.id)})
      on conflict do nothing`.execute(testServer.ctx.db),
  filter: async (_, { client }) =>
    client.post('/api/v2/filters', {
      title: 'words',
      context: ['home'],
      keywords_attributes: [{ keyword: 'words', whole_word: true }],
    }),
  'filter a status': async (_, { client, any }) => {
    const { body } = await client.get('/api/v2/filters')
    if (any && body[0]) await client.post(`/api/v2/filters/${body[0].id}/statuses`, { status_id: any.id })
  },
  unfilter: async (_, { client }) => {
    const { body } = await client.get('/api/v2/filters')
    if (body[0]) await client.delete(`/api/v2/filters/${body[0].id}`)
  },
  'change a profile': async (_, { client, pick }) =>
    client.patch('/api/v1/accounts/update_credentials', { display_name: `:blob: ${pick}`, locked: pick % 4 === 0 }),
  'toggle the application display': async ({ testServer }, { actor }) =>
    sql`update users set show_application = not show_application where id = ${actor.userId}`.execute(testServer.ctx.db),
  'rename the application': async ({ testServer }, { pick }) =>
    sql`update applications set name = ${`App ${pick}`}`.execute(testServer.ctx.db),
  'toggle an emoji': async ({ testServer }) =>
    sql`update custom_emojis set disabled = not disabled`.execute(testServer.ctx.db),
  suspend: async ({ testServer }, { target }) =>
    sql`update accounts set version = version + 1,
      suspended_at = case when suspended_at is null then now() end where id = ${target.accountId}`.execute(
      testServer.ctx.db,
    ),
  'put on a list': async (_, { client, actor, target }) =>
    client.post(`/api/v1/lists/${actor.listId}/accounts`, { account_ids: [target.accountId] }),
  'change tokens': async ({ testServer: { ctx } }, { actor }) => {
    const token = generateSecret()
    await ctx.write(async (tx) => {
      const last = await tx.db
        .selectFrom('access_tokens')
        .select(['id', 'user_id', 'scopes', 'application_id'])
        .where('token_hash', '=', hashSecret(actor.tokens.at(-1)!))
        .executeTakeFirstOrThrow()
      const { id, ...rest } = last
      await tx.db
        .insertInto('access_tokens')
        .values({ ...rest, token_hash: hashSecret(token) })
        .execute()
      await revokeTokens(tx, { ids: [id] })
    })
    actor.tokens.push(token)
  },
}
