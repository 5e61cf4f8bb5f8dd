import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { sql } from 'kysely'
import { createRestAPIClient } from 'masto'
import { openTrendServer } from '../../../../../../test/features/trends.ts'
import { assertEntity } from '../../../../../../test/http/entities/entity-schemas.ts'
import { openTestServer } from '../../../../../../test/servers/test-server.ts'
import { permissionBit } from '../../../../../domain/access/permissions.ts'
import type { AdminTrendsPublisher } from '../../../../../entities/admin/content/admin-trends.ts'

const PATH = '/api/v1/admin/trends'

const testServer = await openTestServer()
after(testServer.close)
const { ctx, anonymous } = testServer
const { db } = ctx
const { users, post, favourite, measure, set } = await openTrendServer(testServer)
const scopes = 'read write admin:read admin:write'
const moderator = await testServer.createUser({ role: 'moderator', scopes })
const user = await testServer.createUser({ scopes })

interface Row {
  id: string
  requires_review?: boolean
  trendable?: boolean | null
}

async function list(path: string, { client } = moderator): Promise<Row[]> {
  const { status, body } = await client.get<Row[]>(`${PATH}/${path}`)
  assert.equal(status, 200)
  return body
}
const reviewsIn = async (path: string) => (await list(path)).map((row) => [row.id, row.requires_review])

async function review<T = Row>(path: string, id: string, action: 'approve' | 'reject'): Promise<T> {
  const { status, body } = await moderator.client.post<T>(`${PATH}/${path}/${id}/${action}`)
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

async function auditOf(targetType: string, id: string): Promise<[action: string, label: string, by: string | null][]> {
  const rows = await db
    .selectFrom('audit_log_entries')
    .select(['action', 'label', 'account_id'])
    .where('target_type', '=', targetType)
    .where('target_id', '=', id)
    .orderBy('id')
    .execute()
  return rows.map((row) => [row.action, row.label, row.account_id])
}

/** Makes a page trend. Returns the ids of its card and of its publisher. */
async function createTrendingLink(domain: string): Promise<{ cardId: string; publisherId: string }> {
  const { rows } = await sql<{ cardId: string; publisherId: string }>`
    with publisher as (insert into preview_card_providers (domain) values (${domain}) returning id),
      card as (insert into preview_cards (url, type, title, language, image_key)
        values (${`https://${domain}/news`}, 'link', 'News', 'en', 'cards/news.png') returning id)
    insert into trending_links (card_id, publisher_id, peak, peaked_at, score)
    select card.id, publisher.id, 7, now(), 7 from card, publisher
    returning card_id as "cardId", publisher_id as "publisherId"`.execute(db)
  return rows[0]!
}
const publicLinks = async () => (await anonymous.get<{ title: string }[]>('/api/v1/trends/links')).body.length

suite('trends for the staff', () => {
  test('include hashtags that require a review, and an approval shows them to everyone', async () => {
    for (const author of users.slice(0, 5)) await post(author, '#Swifts')
    await testServer.waitForJobs()
    await measure()
    const names = async () =>
      (await anonymous.get<{ name: string }[]>('/api/v1/trends/tags')).body.map(({ name }) => name)
    const [tag] = await list('tags')
    assertEntity('AdminTag', tag)
    const { id } = tag!
    assert.deepEqual([tag!.requires_review, await names()], [true, []])
    const approved = await review('tags', id, 'approve')
    assertEntity('AdminTag', approved)
    assert.deepEqual([approved.requires_review, await names()], [false, ['Swifts']])
    await review('tags', id, 'reject')
    assert.deepEqual([await reviewsIn('tags'), await names()], [[[id, false]], []])
    assert.deepEqual(await auditOf('tag', id), [
      ['approve', 'swifts', moderator.accountId],
      ['reject', 'swifts', moderator.accountId],
    ])
  })

  test('include statuses that require a review, and an approval shows them to everyone', async () => {
    const id = await post(users[0]!, 'Everybody likes it', { language: 'en' })
    await favourite(id)
    await testServer.waitForJobs()
    await measure()
    const ids = async () => (await anonymous.get<Row[]>('/api/v1/trends/statuses')).body.map((row) => row.id)
    const [status] = await list('statuses')
    assertEntity('AdminTrendsStatus', status)
    assert.equal(status!.trendable, null)
    assert.deepEqual([await reviewsIn('statuses'), await ids()], [[[id, true]], []])
    const approved = await review('statuses', id, 'approve')
    assertEntity('AdminTrendsStatus', approved)
    assert.deepEqual([approved.requires_review, approved.trendable, await ids()], [false, true, [id]])
    await review('statuses', id, 'approve')
    assert.equal((await review('statuses', id, 'reject')).trendable, false)
    assert.deepEqual([await reviewsIn('statuses'), await ids()], [[[id, false]], []])
    const entries = await auditOf('status', id)
    assert.deepEqual(
      entries.map(([action]) => action),
      ['approve', 'reject'],
    )
  })

  test('are no way to read statuses that are not public', async () => {
    for (const visibility of ['unlisted', 'private', 'direct']) {
      const id = await post(users[0]!, 'Only for some', { visibility })
      for (const action of ['approve', 'reject'])
        assert.equal((await moderator.client.post(`${PATH}/statuses/${id}/${action}`)).status, 404, visibility)
    }
  })

  test('include links, which an approval of the link or of its publisher shows to everyone', async () => {
    const { cardId, publisherId } = await createTrendingLink('news.test')
    const [link] = await list('links')
    assertEntity('AdminTrendsLink', link)
    assert.deepEqual([await reviewsIn('links'), await publicLinks()], [[[cardId, true]], 0])
    const approved = await review('links', cardId, 'approve')
    assertEntity('AdminTrendsLink', approved)
    assert.deepEqual([link!.trendable, approved.trendable], [null, true])
    assert.deepEqual([approved.requires_review, await publicLinks()], [false, 1])
    assert.equal((await review('links', cardId, 'reject')).trendable, false)
    assert.equal(await publicLinks(), 0)
    const label = 'https://news.test/news'
    assert.deepEqual(await auditOf('preview_card', cardId), [
      ['approve', label, moderator.accountId],
      ['reject', label, moderator.accountId],
    ])
    await sql`update preview_cards set trendable = null`.execute(db)
    const publisher = await review<AdminTrendsPublisher>('links/publishers', publisherId, 'approve')
    assertEntity('AdminTrendsPublisher', publisher)
    assert.deepEqual([publisher.domain, publisher.trendable, publisher.requires_review], ['news.test', true, false])
    assert.deepEqual([await reviewsIn('links'), await publicLinks()], [[[cardId, false]], 1])
    await review('links/publishers', publisherId, 'reject')
    assert.equal(await publicLinks(), 0)
    assert.deepEqual(await auditOf('preview_card_provider', publisherId), [
      ['approve', 'news.test', moderator.accountId],
      ['reject', 'news.test', moderator.accountId],
    ])
  })

  test('list publishers, newest first, reviewed or not', async () => {
    const { publisherId } = await createTrendingLink('later.test')
    const publishers = (await list('links/publishers')) as AdminTrendsPublisher[]
    for (const publisher of publishers) assertEntity('AdminTrendsPublisher', publisher)
    const [newest] = publishers
    assert.deepEqual(
      [newest!.id, newest!.trendable, newest!.reviewed_at, newest!.requires_review],
      [publisherId, null, null, true],
    )
  })

  test('include links of subdomains, to which the review of the publisher applies', async () => {
    const { publisherId } = await createTrendingLink('paper.test')
    await sql`with card as (
        insert into preview_cards (url, type, title, language, image_key)
        select 'https://' || host || '/', 'link', host, 'en', 'cards/news.png' from unnest(array['blog.paper.test', 'otherpaper.test']) host
        returning id
      )
      insert into trending_links (card_id, peak, peaked_at, score) select id, 7, now(), 7 from card`.execute(db)
    await measure()
    const publishers = ((await list('links/publishers')) as AdminTrendsPublisher[]).map(({ domain }) => domain)
    assert.deepEqual(publishers.slice(0, 2), ['otherpaper.test', 'paper.test'])
    const before = await publicLinks()
    await review('links/publishers', publisherId, 'approve')
    assert.equal(await publicLinks(), before + 2)
    await review('links/publishers', publisherId, 'reject')
    assert.equal(await publicLinks(), before)
  })

  test('are the public ones for users who may not manage taxonomies', async () => {
    const { cardId } = await createTrendingLink('shown.test')
    await review('links', cardId, 'approve')
    for (const path of ['tags', 'statuses', 'links']) {
      const { body } = await user.client.get<Row[]>(`/api/v1/trends/${path}`)
      assert.deepEqual(await list(path, user), body, path)
      for (const row of body) assert.ok(!('requires_review' in row))
    }
    assert.equal((await list('links', user)).length, 1)
    for (const path of ['links/publishers', `links/${cardId}/approve`, `tags/1/reject`]) {
      const method = path.startsWith('links/p') ? ('GET' as const) : ('POST' as const)
      assert.equal((await user.client.send({ method, url: `${PATH}/${path}` })).status, 403, path)
    }
  })

  test('are listed for the staff, and not for others, while trends are disabled', async () => {
    await set('trends', 'off')
    assert.ok((await list('links')).length > 0)
    assert.deepEqual(await list('links', user), [])
    await set('trends', 'on')
  })

  test('need the permission of the moment', async () => {
    const permissions = String(permissionBit('manageTaxonomies'))
    await db.insertInto('roles').values({ id: '60', name: 'Trends', position: 5, permissions }).execute()
    const change = (role_id: string) => db.updateTable('users').set({ role_id }).where('id', '=', user.userId).execute()
    await change('60')
    assert.equal((await list('links', user))[0]!.requires_review !== undefined, true)
    await change('-99')
    assert.equal((await list('links', user))[0]!.requires_review, undefined)
  })

  test('that do not exist are 404', async () => {
    for (const id of ['4711', '0', 'nonsense']) {
      for (const path of ['tags', 'statuses', 'links', 'links/publishers']) {
        for (const action of ['approve', 'reject'])
          assert.equal((await moderator.client.post(`${PATH}/${path}/${id}/${action}`)).status, 404, `${path} ${id}`)
      }
    }
  })

  test('work with masto.js', async () => {
    const masto = createRestAPIClient({ url: await testServer.listen(), accessToken: moderator.token })
    const { links, statuses } = masto.v1.admin.trends
    const [link] = await links.list()
    const { id } = link as unknown as { id: string }
    assert.equal((await links.$select(id).approve()).url, link!.url)
    assert.equal((await links.$select(id).reject()).url, link!.url)
    const [status] = await statuses.list()
    assert.equal((await statuses.$select(status!.id).approve()).id, status!.id)
    const [publisher] = (await links.publishers.list()) as unknown as { id: string; domain: string }[]
    const approved = (await links.publishers.$select(publisher!.id).approve()) as unknown as { domain: string }
    assert.equal(approved.domain, publisher!.domain)
  })
})
