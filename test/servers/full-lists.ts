import assert from 'node:assert/strict'
import { sql } from 'kysely'
import type { ClientResponse, Client } from '../http/client.ts'
import { writeSetting } from '../../src/domain/core/settings-store.ts'
import { UNREVIEWED_SETTING } from '../../src/domain/trends/read-trends-settings.ts'
import { compareIds } from '../../src/lib/ids.ts'
import { createUsers } from './create-users.ts'
import { createRandom } from '../oracles/random.ts'
import { makeCardTrend } from '../features/trends.ts'
import { suspend } from '../features/moderation.ts'
import { fillAdminLists, fillImport } from './full-admin-lists.ts'
import type { AdminLists, InsertRows } from './full-admin-lists.ts'
import { openTestServer } from './test-server.ts'
import type { TestUser, TestServer } from './test-server.ts'

/** The number of items of each kind, each more than fits on a page. */
const ACCOUNTS = 90
const STATUSES = 45
const TAGS = 210
const DOMAINS = 210
const COLLECTIONS = 105
const TRENDS = 45
const REMOTE_ACCOUNTS = 210

/** A test server with more items of each kind than fit on a page. Ids are in the order of the lists, latest first. */
export interface FullLists {
  testServer: TestServer
  /** The owner of all items except those of `quietUser`. */
  owner: TestUser
  /** Blocks and mutes all accounts, has follow requests from all of them, and blocks the domains. */
  quietUser: TestUser
  /** A user without items. */
  newcomer: TestUser
  /** A member of the staff. */
  staff: TestUser
  /** Sends a request without reaching a throttle. */
  get(client: Client, url: string): Promise<ClientResponse>
  listId: string
  /** The status that all accounts favourited and reblogged, and all of `bookmarkIds` quote. */
  statusId: string
  /**
   * The accounts by the time of their interactions, which differs from the order of their ids; without a suspended one.
   */
  accountIds: string[]
  /** The same accounts by their ids. */
  accountIdsByCreation: string[]
  statuses: string[]
  /**
   * The same statuses in the order in which they were favourited and bookmarked, and in which they quote `statusId`.
   */
  bookmarkIds: string[]
  /** Replies that link to a page, and the URL of the page. */
  linking: string[]
  linked: string
  scheduled: string[]
  conversations: string[]
  tags: string[]
  domains: string[]
  collections: string[]
  admin: AdminLists
  blockImport: { importId: string; drafts: string[] }
  /** Accounts of a remote server, `crowd.test`. */
  remoteAccounts: string[]
  /** All hashtags, also those that the owner does not follow. */
  allTags: string[]
  trends: { tags: string[]; statuses: string[]; links: string[] }
}

export async function openFullLists(): Promise<FullLists> {
  let now = new Date('2026-11-05T00:00:00Z')
  const testServer = await openTestServer({ now: () => now })
  const { db } = testServer.ctx
  const random = createRandom(7)
  const [owner, quietUser, newcomer] = [
    await testServer.createUser(),
    await testServer.createUser(),
    await testServer.createUser(),
  ]
  const ownerId = owner.accountId

  const wait = () => void (now = new Date(now.getTime() + 60_000))
  const post = async (path: string, body: object): Promise<string> => {
    wait()
    const answer = await owner.client.post(path, body)
    assert.equal(answer.status, 200, JSON.stringify(answer.body))
    return answer.body.id
  }
  /** Inserts a row for each id, in this order. */
  const insertForEach = (ids: readonly string[], insert: string) =>
    sql`${sql.raw(insert)} from unnest(${ids}::bigint[]) with ordinality as x (id, n) order by n`.execute(db)
  /** Inserts rows, and returns their ids. */
  const insertRows = async (count: number, insert: string): Promise<string[]> => {
    const query = sql`${sql.raw(insert)} from generate_series(1, ${count}::int) n returning id`
    return (await query.execute(db)).rows.map((row) => (row as { id: string }).id)
  }

  const accountIds = random.some(await createUsers(testServer.ctx, { prefix: 'walker', count: ACCOUNTS }), ACCOUNTS)
  const hidden = accountIds[20]!
  await sql`update accounts set discoverable = true where id = any(${accountIds})`.execute(db)
  await suspend(testServer.ctx, { accountId: hidden })
  // The suspension blocks the e-mail address, too.
  await sql`delete from canonical_email_blocks`.execute(testServer.ctx.db)
  await sql`update account_stats set followers_count = account_id % 1000000 where account_id = any(${accountIds})`.execute(
    db,
  )
  for (const [table, one, other] of [
    ['follows', 'x.id', ownerId],
    ['follows', ownerId, 'x.id'],
    ['endorsements', ownerId, 'x.id'],
    ['follow_requests', 'x.id', quietUser.accountId],
    ['blocks', quietUser.accountId, 'x.id'],
    ['mutes', quietUser.accountId, 'x.id'],
  ]) {
    await insertForEach(accountIds, `insert into ${table} (account_id, target_account_id) select ${one}, ${other}`)
  }
  await insertForEach(
    accountIds,
    `insert into notifications (account_id, from_account_id, type, group_key) select ${ownerId}, x.id, 'follow', 'follow-1'`,
  )
  await insertForEach(
    accountIds,
    `insert into notifications (account_id, from_account_id, type, filtered) select ${ownerId}, x.id, 'mention', true`,
  )
  await insertForEach(
    accountIds,
    `insert into notification_requests (account_id, from_account_id) select ${ownerId}, x.id`,
  )

  const listId = await post('/api/v1/lists', { title: 'All' })
  await post(`/api/v1/lists/${listId}/accounts`, { account_ids: [ownerId] })
  const statuses: string[] = []
  for (let n = 0; n < STATUSES; n += 1) {
    statuses.unshift(await post('/api/v1/statuses', { status: `Walk ${n} #walk`, visibility: 'public' }))
  }
  await testServer.waitForJobs()
  await sql`delete from list_accounts`.execute(db)
  await insertForEach(
    accountIds,
    `insert into list_accounts (list_id, account_id, follow_id)
     select ${listId}, x.id, (select f.id from follows f where f.account_id = ${ownerId} and f.target_account_id = x.id)`,
  )

  const statusId = await post('/api/v1/statuses', { status: 'Liked', visibility: 'unlisted' })
  await insertForEach(accountIds, `insert into favourites (account_id, status_id) select x.id, ${statusId}`)
  await insertForEach(
    accountIds,
    `insert into statuses (account_id, uri, url, visibility, reblog_of_id)
     select x.id, 'https://linnet.test/reblogs/' || x.id, '', 'public', ${statusId}`,
  )
  const bookmarks = random.some(statuses, STATUSES)
  for (const table of ['favourites', 'bookmarks']) {
    await insertForEach(bookmarks, `insert into ${table} (account_id, status_id) select ${ownerId}, x.id`)
  }
  await insertForEach(
    bookmarks,
    `insert into quotes (status_id, account_id, quoted_status_id, quoted_account_id, state)
     select x.id, ${ownerId}, ${statusId}, ${ownerId}, 'accepted'`,
  )
  const linked = 'https://page.test/walked'
  const linking = await insertRows(
    STATUSES,
    `insert into statuses (account_id, uri, url, visibility, in_reply_to_id, in_reply_to_account_id)
     select ${accountIds[0]}, 'https://linnet.test/linking/' || n, '', 'public', ${statusId}, ${ownerId}`,
  )
  const [card] = await insertRows(1, `insert into preview_cards (url, type, title) select '${linked}', 'link', 'Walks'`)
  const [link] = await insertRows(
    1,
    `insert into preview_links (url, card_id, due_at) select '${linked}', ${card}, now() + interval '1 year'`,
  )
  await makeCardTrend(testServer.ctx, { url: linked })
  await insertForEach(
    linking,
    `insert into status_preview_links (status_id, link_id, card_id, url) select x.id, ${link}, ${card}, '${linked}'`,
  )
  const scheduled: string[] = []
  for (let n = 0; n < STATUSES; n += 1) {
    const at = new Date(now.getTime() + (1 + (n % 3)) * 86_400_000)
    scheduled.unshift(await post('/api/v1/statuses', { status: `Later ${n}`, scheduled_at: at.toISOString() }))
  }

  await sql`insert into account_conversations (account_id, conversation_id, participant_ids, participants_digest, last_status_id)
    select account_id, conversation_id, array[${quietUser.accountId}::bigint], ''::bytea, id from statuses
    where id = any(${statuses}::bigint[]) order by id`.execute(db)
  const { rows: conversations } = await sql<{ id: string }>`
    insert into account_conversation_statuses (account_conversation_id, status_id)
    select id, last_status_id from account_conversations where account_id = ${ownerId} returning account_conversation_id as id`.execute(
    db,
  )

  const names = `select 'stroll' || n, 'stroll' || n, 1`
  const tags = random.some(await insertRows(TAGS, `insert into tags (name, display_name, recent_users) ${names}`), TAGS)
  await insertForEach(tags, `insert into tag_follows (account_id, tag_id) select ${ownerId}, x.id`)
  const domains = random.some(
    Array.from({ length: DOMAINS }, (_, n) => `d${n}.test`),
    DOMAINS,
  )
  await sql`insert into account_domain_blocks (account_id, domain)
    select ${quietUser.accountId}, name from unnest(${domains}::text[]) with ordinality x (name, n) order by n`.execute(
    db,
  )
  const remoteAccounts = await insertRows(
    REMOTE_ACCOUNTS,
    `insert into accounts (username, domain, uri, url)
     select 'guest' || n, 'crowd.test', 'https://crowd.test/users/' || n, 'https://crowd.test/@guest' || n`,
  )
  await insertForEach(remoteAccounts, 'insert into account_stats (account_id) select x.id')
  const collections = await insertRows(
    COLLECTIONS,
    `insert into collections (account_id, name) select ${ownerId}, 'C' || n`,
  )
  await insertForEach(
    collections,
    `insert into collection_items (collection_id, account_id, state) select x.id, ${ownerId}, 'accepted'`,
  )

  const trends = await makeTrends(testServer, { insertRows, authors: accountIds.filter((id) => id !== hidden) })

  const { rows: allTags } = await sql<{ id: string }>`select id from tags order by id desc`.execute(db)
  const visibleIds = accountIds.filter((id) => id !== hidden).toReversed()
  const admin = await fillAdminLists(insertRows, { accountId: ownerId, targetAccountId: quietUser.accountId })
  return {
    testServer,
    owner,
    quietUser,
    newcomer,
    staff: await testServer.createUser({ role: 'owner', scopes: 'admin:read admin:write' }),
    get(client, url) {
      wait()
      return client.get(url)
    },
    listId,
    statusId,
    accountIds: visibleIds,
    accountIdsByCreation: visibleIds.toSorted((a, b) => compareIds(b, a)),
    statuses,
    bookmarkIds: bookmarks.toReversed(),
    linking: linking.toReversed(),
    linked,
    scheduled,
    conversations: conversations.map(({ id }) => id).toSorted((a, b) => compareIds(b, a)),
    tags: tags.toReversed(),
    domains: domains.toReversed(),
    collections: collections.toReversed(),
    admin,
    blockImport: await fillImport(insertRows, { importId: admin.domain_block_imports[0]! }),
    remoteAccounts: remoteAccounts.toReversed(),
    allTags: allTags.map(({ id }) => id),
    trends,
  }
}

/** Creates more trends of each kind than fit on two pages. Returns ids, or the URLs of pages, by descending score. */
async function makeTrends(
  { ctx }: TestServer,
  { insertRows, authors }: { insertRows: InsertRows; authors: readonly string[] },
): Promise<FullLists['trends']> {
  const tags = await insertRows(TRENDS, `insert into tags (name, display_name) select 'trend' || n, 'trend' || n`)
  const cards = await insertRows(
    TRENDS,
    `insert into preview_cards (url, type, title, language, image_key)
     select 'https://page.test/' || n, 'link', 'T', 'en', 'cards/page.png'`,
  )
  const statuses = await insertRows(
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
  await ctx.write((tx) => writeSetting(tx, { name: UNREVIEWED_SETTING, value: true }))
  const urls = cards.map((_id, n) => `https://page.test/${n + 1}`)
  return {
    tags: tags.toReversed(),
    statuses: statuses.toReversed(),
    // Includes the page of the link timeline, which has a lower score.
    links: [...urls.toReversed(), 'https://page.test/walked'],
  }
}
