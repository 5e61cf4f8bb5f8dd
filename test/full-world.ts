import assert from 'node:assert/strict'
import { sql } from 'kysely'
import type { Answer, Client } from './client.ts'
import { changeSetting } from '../src/domain/instance/settings.ts'
import { compareIds } from '../src/lib/ids.ts'
import { createCrowd } from './create-crowd.ts'
import { createRandom } from './random.ts'
import { letTrend } from './trending.ts'
import { openWorld } from './world.ts'
import type { Person, World } from './world.ts'

/** How many there are, each more than a page holds. */
const PEOPLE = 90
const STATUSES = 45
const TAGS = 210
const DOMAINS = 210
const COLLECTIONS = 105
const TRENDS = 45

/** A world with more of everything than a page holds. Ids are as lists give them, latest first. */
export interface FullWorld {
  world: World
  /** Whose all of it is, but for what `silent` has. */
  owner: Person
  /** Who blocks and mutes everybody, is asked by everybody, and blocks the domains. */
  silent: Person
  /** Who has nothing. */
  newcomer: Person
  /** Asks without ever reaching a throttle. */
  get(client: Client, url: string): Promise<Answer>
  listId: string
  /** What everybody favourited and boosted, and all of `kept` quote. */
  statusId: string
  /** By when they did something, in another order than they came; without one whom nobody sees. */
  people: string[]
  /** The same by when they came. */
  peopleById: string[]
  statuses: string[]
  /** The same in the order in which they were favourited, bookmarked, or began to quote. */
  kept: string[]
  /** Answers of somebody that link to a page, and its address. */
  linking: string[]
  linked: string
  scheduled: string[]
  conversations: string[]
  tags: string[]
  domains: string[]
  collections: string[]
  trends: { tags: string[]; statuses: string[]; links: string[] }
}

export async function openFullWorld(): Promise<FullWorld> {
  let now = new Date('2026-11-05T00:00:00Z')
  const world = await openWorld({ now: () => now })
  const { db } = world.ctx
  const random = createRandom(7)
  const [owner, silent, newcomer] = [await world.createPerson(), await world.createPerson(), await world.createPerson()]
  const me = owner.accountId

  const wait = () => void (now = new Date(now.getTime() + 60_000))
  const post = async (path: string, body: object): Promise<string> => {
    wait()
    const answer = await owner.client.post(path, body)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    return answer.body.id
  }
  /** Inserts a row for each, in this order. */
  const forEach = (ids: readonly string[], insert: string) =>
    sql`${sql.raw(insert)} from unnest(${ids}::bigint[]) with ordinality as x (id, n) order by n`.execute(db)
  /** Makes rows, and gives their ids. */
  const make = async (count: number, insert: string): Promise<string[]> => {
    const from = sql`${sql.raw(insert)} from generate_series(1, ${count}::int) n returning id`
    return (await from.execute(db)).rows.map((row) => (row as { id: string }).id)
  }

  const crowd = random.some(await createCrowd(world.ctx, { prefix: 'walker', count: PEOPLE }), PEOPLE)
  const hidden = crowd[20]!
  await sql`update accounts set discoverable = true where id = any(${crowd})`.execute(db)
  await sql`update accounts set suspended_at = now() where id = ${hidden}`.execute(db)
  await sql`update account_stats set followers_count = account_id where account_id = any(${crowd})`.execute(db)
  for (const [table, one, other] of [
    ['follows', 'x.id', me],
    ['follows', me, 'x.id'],
    ['endorsements', me, 'x.id'],
    ['follow_requests', 'x.id', silent.accountId],
    ['blocks', silent.accountId, 'x.id'],
    ['mutes', silent.accountId, 'x.id'],
  ]) {
    await forEach(crowd, `insert into ${table} (account_id, target_account_id) select ${one}, ${other}`)
  }
  await forEach(
    crowd,
    `insert into notifications (account_id, from_account_id, type, group_key) select ${me}, x.id, 'follow', 'follow-1'`,
  )
  await forEach(
    crowd,
    `insert into notifications (account_id, from_account_id, type, filtered) select ${me}, x.id, 'mention', true`,
  )
  await forEach(crowd, `insert into notification_requests (account_id, from_account_id) select ${me}, x.id`)

  const listId = await post('/api/v1/lists', { title: 'All' })
  await post(`/api/v1/lists/${listId}/accounts`, { account_ids: [me] })
  const statuses: string[] = []
  for (let n = 0; n < STATUSES; n += 1) {
    statuses.unshift(await post('/api/v1/statuses', { status: `Walk ${n} #walk`, visibility: 'public' }))
  }
  await world.settle()
  await sql`delete from list_accounts`.execute(db)
  await forEach(
    crowd,
    `insert into list_accounts (list_id, account_id, follow_id)
     select ${listId}, x.id, (select f.id from follows f where f.account_id = ${me} and f.target_account_id = x.id)`,
  )

  const statusId = await post('/api/v1/statuses', { status: 'Liked', visibility: 'unlisted' })
  await forEach(crowd, `insert into favourites (account_id, status_id) select x.id, ${statusId}`)
  await forEach(
    crowd,
    `insert into statuses (account_id, uri, url, visibility, reblog_of_id)
     select x.id, 'https://linnet.test/boosts/' || x.id, '', 'public', ${statusId}`,
  )
  const kept = random.some(statuses, STATUSES)
  for (const table of ['favourites', 'bookmarks']) {
    await forEach(kept, `insert into ${table} (account_id, status_id) select ${me}, x.id`)
  }
  await forEach(
    kept,
    `insert into quotes (status_id, account_id, quoted_status_id, quoted_account_id, state)
     select x.id, ${me}, ${statusId}, ${me}, 'accepted'`,
  )
  const linked = 'https://page.test/walked'
  const linking = await make(
    STATUSES,
    `insert into statuses (account_id, uri, url, visibility, in_reply_to_id, in_reply_to_account_id)
     select ${crowd[0]}, 'https://linnet.test/linking/' || n, '', 'public', ${statusId}, ${me}`,
  )
  const [card] = await make(1, `insert into preview_cards (url, type, title) select '${linked}', 'link', 'Walks'`)
  const [link] = await make(
    1,
    `insert into links (url, card_id, due_at) select '${linked}', ${card}, now() + interval '1 year'`,
  )
  await letTrend(world.ctx, { url: linked })
  await forEach(
    linking,
    `insert into status_links (status_id, link_id, card_id, url) select x.id, ${link}, ${card}, '${linked}'`,
  )
  const scheduled: string[] = []
  for (let n = 0; n < STATUSES; n += 1) {
    const at = new Date(now.getTime() + (1 + (n % 3)) * 86_400_000)
    scheduled.unshift(await post('/api/v1/statuses', { status: `Later ${n}`, scheduled_at: at.toISOString() }))
  }

  await sql`insert into account_conversations (account_id, conversation_id, participant_ids, participants_digest, last_status_id)
    select account_id, conversation_id, array[${silent.accountId}::bigint], ''::bytea, id from statuses
    where id = any(${statuses}::bigint[]) order by id`.execute(db)
  const { rows: talks } = await sql<{ id: string }>`
    insert into account_conversation_statuses (account_conversation_id, status_id)
    select id, last_status_id from account_conversations where account_id = ${me} returning account_conversation_id as id`.execute(
    db,
  )

  const names = `select 'stroll' || n, 'stroll' || n, 1`
  const tags = random.some(await make(TAGS, `insert into tags (name, display_name, recent_users) ${names}`), TAGS)
  await forEach(tags, `insert into tag_follows (account_id, tag_id) select ${me}, x.id`)
  const domains = random.some(
    Array.from({ length: DOMAINS }, (_, n) => `d${n}.test`),
    DOMAINS,
  )
  await sql`insert into account_domain_blocks (account_id, domain)
    select ${silent.accountId}, name from unnest(${domains}::text[]) with ordinality x (name, n) order by n`.execute(db)
  const collections = await make(COLLECTIONS, `insert into collections (account_id, name) select ${me}, 'C' || n`)
  await forEach(
    collections,
    `insert into collection_items (collection_id, account_id, state) select x.id, ${me}, 'accepted'`,
  )

  const trends = await makeTrends(world, { make, authors: crowd.filter((id) => id !== hidden) })

  const people = crowd.filter((id) => id !== hidden).toReversed()
  return {
    world,
    owner,
    silent,
    newcomer,
    get(client, url) {
      wait()
      return client.get(url)
    },
    listId,
    statusId,
    people,
    peopleById: people.toSorted((a, b) => compareIds(b, a)),
    statuses,
    kept: kept.toReversed(),
    linking: linking.toReversed(),
    linked,
    scheduled,
    conversations: talks.map(({ id }) => id).toSorted((a, b) => compareIds(b, a)),
    tags: tags.toReversed(),
    domains: domains.toReversed(),
    collections: collections.toReversed(),
    trends,
  }
}

type Make = (count: number, insert: string) => Promise<string[]>

/** More of each kind than two pages have, let by the owner; ids, or addresses of pages, the strongest first. */
async function makeTrends(
  { ctx }: World,
  { make, authors }: { make: Make; authors: readonly string[] },
): Promise<FullWorld['trends']> {
  const tags = await make(TRENDS, `insert into tags (name, display_name) select 'trend' || n, 'trend' || n`)
  const cards = await make(
    TRENDS,
    `insert into preview_cards (url, type, title, language) select 'https://page.test/' || n, 'link', 'T', 'en'`,
  )
  const statuses = await make(
    TRENDS,
    `insert into statuses (account_id, uri, url, visibility, language)
     select (array[${authors.join()}])[n], 'https://linnet.test/trending/' || n, '', 'public', 'en'`,
  )
  for (const [kind, ids] of [
    ['tag', tags],
    ['card', cards],
  ] as const) {
    await sql`insert into ${sql.table(kind === 'tag' ? 'trending_tags' : 'trending_links')}
      (${sql.ref(`${kind}_id`)}, peak, peaked_at, score)
      select id, n + 100, now(), n + 100 from unnest(${ids}::bigint[]) with ordinality x (id, n)`.execute(ctx.db)
  }
  await sql`insert into trending_statuses (status_id, score)
    select id, n from unnest(${statuses}::bigint[]) with ordinality x (id, n)`.execute(ctx.db)
  await ctx.write((tx) => changeSetting(tx, { name: 'trends-unreviewed', text: 'on' }))
  const urls = cards.map((_id, n) => `https://page.test/${n + 1}`)
  return {
    tags: tags.toReversed(),
    statuses: statuses.toReversed(),
    // With the page that the timeline is of, which is weaker.
    links: [...urls.toReversed(), 'https://page.test/walked'],
  }
}
