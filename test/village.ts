import { sql } from 'kysely'
import { revokeTokens } from '../src/domain/auth/tokens.ts'
import type { Poll } from '../src/entities/poll.ts'
import { hashSecret, makeSecret } from '../src/lib/secrets.ts'
import { createClient } from './client.ts'
import type { Client } from './client.ts'
import type { Forgetful } from './forgetful.ts'
import { HOST, makeRemote, makeRemoteStatus } from './remote.ts'
import type { Person, World } from './world.ts'

export interface Deed {
  name: string
  /** Who does it, and towards whom: their places among the people. */
  from: number
  to: number
  /** Which of the statuses there are, the newest first. */
  pick: number
  /** Whether the other server is asked for it. */
  beside: boolean
}

export interface Villager extends Person {
  /** Those that they use now, and have used. */
  tokens: string[]
  listId: string
}

interface Known {
  id: string
  author: number
  poll: Poll | null
}

/** Somebody who does something to somebody, or with one of all statuses, of those that are their own, or of the polls. */
interface Doing {
  client: Client
  me: Villager
  you: Villager
  from: number
  pick: number
  any: Known | undefined
  own: Known | undefined
  asked: Known | undefined
}

/** A few people and one of another server, who do this and that to each other. */
export class Village {
  readonly world: World
  readonly beside: Forgetful
  readonly people: Villager[]
  readonly strangerId: string
  statuses: Known[] = []

  private constructor(
    { world, beside }: { world: World; beside: Forgetful },
    { people, strangerId }: { people: Villager[]; strangerId: string },
  ) {
    this.world = world
    this.beside = beside
    this.people = people
    this.strangerId = strangerId
  }

  static async open(servers: { world: World; beside: Forgetful }, { size }: { size: number }): Promise<Village> {
    const { world } = servers
    const { db } = world.ctx
    const strangerId = await makeRemote(world.ctx)
    const { rows: apps } = await sql<{ id: string }>`
      insert into applications (name, redirect_uris, scopes, client_id, client_secret_hash)
      values ('An app', '{}', '{}', ${strangerId}, '\\x00') returning id`.execute(db)
    const people: Villager[] = []
    for (let n = 0; n < size; n += 1) {
      const person = await world.createPerson({ displayName: 'somebody :blob:' })
      const { body } = await person.client.post('/api/v1/lists', { title: 'A list' })
      people.push({ ...person, tokens: [person.token], listId: body.id })
      await sql`update access_tokens set application_id = ${apps[0]!.id} where user_id = ${person.userId}`.execute(db)
    }
    const some = people.filter((_, n) => n % 2 === 0).map(({ accountId }) => accountId)
    await sql`insert into follows (account_id, target_account_id)
      select unnest(${some}::bigint[]), ${strangerId}`.execute(db)
    return new Village(servers, { people, strangerId })
  }

  async do({ name, from, to, pick, beside }: Deed): Promise<void> {
    const me = this.people[from]!
    const server = beside ? this.beside.server : this.world.server
    const choose = (those: Known[]) => those.at(-1 - (pick % (those.length || 1)))
    const { statuses } = this
    await DEEDS[name]!(this, {
      client: createClient(server, { token: me.tokens.at(-1) }),
      me,
      you: this.people[to]!,
      from,
      pick,
      any: choose(statuses),
      own: choose(statuses.filter(({ author }) => author === from)),
      asked: choose(statuses.filter(({ poll }) => poll !== null)),
    })
    await this.world.settle()
  }

  async post({ client, from }: Doing, body: object): Promise<void> {
    const { status, body: made } = await client.post('/api/v1/statuses', body)
    if (status === 200) this.statuses.push({ id: made.id, author: from, poll: made.poll })
  }
}

type Do = (village: Village, doing: Doing) => Promise<unknown>

const toStatus =
  (verb: string, which: 'any' | 'own' = 'any'): Do =>
  async (_, doing) =>
    doing[which] && doing.client.post(`/api/v1/statuses/${doing[which].id}/${verb}`)
const toPerson =
  (verb: string, body?: object): Do =>
  async (_, { client, you }) =>
    client.post(`/api/v1/accounts/${you.accountId}/${verb}`, body)
const post =
  (body: (doing: Doing) => object): Do =>
  async (village, doing) =>
    village.post(doing, { status: `Some words :blob: ${doing.pick}`, ...body(doing) })

export const DEEDS: Record<string, Do> = {
  post: post(() => ({})),
  warn: post(() => ({ spoiler_text: 'words' })),
  mention: post(({ you }) => ({ status: `Hello @${you.username}`, visibility: 'direct' })),
  'post to followers': post(() => ({ visibility: 'private' })),
  reply: post(({ any }) => ({ in_reply_to_id: any?.id })),
  quote: post(({ any }) => ({ quoted_status_id: any?.id })),
  ask: post(({ pick }) => ({
    poll: { options: ['tea', ':blob:', 'words'], expires_in: 3_600, multiple: pick % 2 === 0 },
  })),
  vote: async (_, { client, asked, pick }) =>
    asked && client.post(`/api/v1/polls/${asked.poll!.id}/votes`, { choices: [pick % 3] }),
  'end a poll': async ({ world }, { asked }) =>
    asked && sql`update polls set expires_at = now() where id = ${asked.poll!.id}`.execute(world.ctx.db),
  edit: async (_, { client, own, pick }) =>
    own && client.put(`/api/v1/statuses/${own.id}`, { status: `Other words ${pick}`, language: 'en' }),
  'ask again': async (_, { client, own }) =>
    own && client.put(`/api/v1/statuses/${own.id}`, { status: 'x', poll: { options: ['a', 'b'], expires_in: 3_600 } }),
  delete: async (village, { client, own }) => {
    if (own && (await client.delete(`/api/v1/statuses/${own.id}`)).status === 200)
      village.statuses = village.statuses.filter((one) => one !== own)
  },
  'let quote': async (_, { client, own, pick }) =>
    own &&
    client.put(`/api/v1/statuses/${own.id}/interaction_policy`, {
      quote_approval_policy: ['public', 'followers', 'nobody'][pick % 3],
    }),
  'revoke a quote': async (_, { client, own }) => {
    if (!own) return
    const { body } = await client.get(`/api/v1/statuses/${own.id}/quotes`)
    if (body[0]) await client.post(`/api/v1/statuses/${own.id}/quotes/${body[0].id}/revoke`)
  },
  'lose a quote': async ({ world }) =>
    sql`delete from quotes where id = (select max(id) from quotes)`.execute(world.ctx.db),
  'lose mentions': async ({ world }) =>
    sql`with gone as (
        delete from mentions where status_id = (select max(status_id) from mentions) returning status_id)
      update statuses set version = version + 1 where id in (select status_id from gone)`.execute(world.ctx.db),
  boost: toStatus('reblog'),
  unboost: toStatus('unreblog'),
  favourite: toStatus('favourite'),
  unfavourite: toStatus('unfavourite'),
  bookmark: toStatus('bookmark'),
  unbookmark: toStatus('unbookmark'),
  'mute conversation': toStatus('mute'),
  'unmute conversation': toStatus('unmute'),
  pin: toStatus('pin', 'own'),
  unpin: toStatus('unpin', 'own'),
  follow: toPerson('follow'),
  unfollow: toPerson('unfollow'),
  'let go of a follower': toPerson('remove_from_followers'),
  mute: toPerson('mute'),
  'mute softly': toPerson('mute', { notifications: false }),
  unmute: toPerson('unmute'),
  'outlive a mute': async ({ world }, { me }) =>
    sql`update mutes set expires_at = now() where account_id = ${me.accountId}`.execute(world.ctx.db),
  block: toPerson('block'),
  unblock: toPerson('unblock'),
  'block a domain': async (_, { client }) => client.post('/api/v1/domain_blocks', { domain: new URL(HOST).host }),
  'unblock a domain': async (_, { client }) => client.delete('/api/v1/domain_blocks', { domain: new URL(HOST).host }),
  'follow a stranger': async ({ world, strangerId }, { me }) =>
    sql`insert into follows (account_id, target_account_id) values (${me.accountId}, ${strangerId})
      on conflict do nothing`.execute(world.ctx.db),
  'hear a stranger': async (village) => {
    const id = await makeRemoteStatus(village.world.ctx, { accountId: village.strangerId })
    village.statuses.push({ id, author: -1, poll: null })
  },
  // As an effect may that comes late: what is hidden by now has to be left out by whoever reads.
  'fill all feeds': async ({ world, people, statuses }) =>
    sql`insert into feed_entries (account_id, status_id, original_id)
      select f.id, s.id, coalesce(s.reblog_of_id, s.id)
      from unnest(${people.map((one) => one.accountId)}::bigint[]) f (id),
        statuses s where s.id = any(${statuses.map((one) => one.id)}) or s.reblog_of_id = any(${statuses.map((one) => one.id)})
      on conflict do nothing`.execute(world.ctx.db),
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
  'tell the app': async ({ world }, { me }) =>
    sql`update users set show_application = not show_application where id = ${me.userId}`.execute(world.ctx.db),
  'name the app': async ({ world }, { pick }) =>
    sql`update applications set name = ${`App ${pick}`}`.execute(world.ctx.db),
  'switch an emoji': async ({ world }) => sql`update custom_emojis set disabled = not disabled`.execute(world.ctx.db),
  suspend: async ({ world }, { you }) =>
    sql`update accounts set version = version + 1,
      suspended_at = case when suspended_at is null then now() end where id = ${you.accountId}`.execute(world.ctx.db),
  'put on a list': async (_, { client, me, you }) =>
    client.post(`/api/v1/lists/${me.listId}/accounts`, { account_ids: [you.accountId] }),
  'change tokens': async ({ world: { ctx } }, { me }) => {
    const token = makeSecret()
    await ctx.write(async (tx) => {
      const last = await tx.db
        .selectFrom('access_tokens')
        .select(['id', 'user_id', 'scopes', 'application_id'])
        .where('token_hash', '=', hashSecret(me.tokens.at(-1)!))
        .executeTakeFirstOrThrow()
      const { id, ...rest } = last
      await tx.db
        .insertInto('access_tokens')
        .values({ ...rest, token_hash: hashSecret(token) })
        .execute()
      await revokeTokens(tx, { ids: [id] })
    })
    me.tokens.push(token)
  },
}
