import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { createRestAPIClient } from 'masto'
import { assertEntity } from '../../../../../../test/http/entities/entity-schemas.ts'
import { openTestServer } from '../../../../../../test/servers/test-server.ts'
import { changeSetting } from '../../../../../domain/instance/instance-settings.ts'
import type { AdminTag } from '../../../../../entities/admin/content/admin-tag.ts'

const PATH = '/api/v1/admin/tags'

const testServer = await openTestServer()
after(testServer.close)
const { ctx, anonymous } = testServer
const moderator = await testServer.createUser({ role: 'moderator', scopes: 'read write admin:read admin:write' })
const author = await testServer.createUser()

const post = (body: object) => author.client.post('/api/v1/statuses', body)

/** Posts a hashtag publicly, and returns its id. */
async function use(name: string): Promise<string> {
  const { status } = await post({ status: `#${name}` })
  assert.equal(status, 200)
  await testServer.waitForJobs()
  return (await author.client.get(`/api/v1/tags/${name}`)).body.id
}

async function get(id: string): Promise<AdminTag> {
  const { status, body } = await moderator.client.get<AdminTag>(`${PATH}/${id}`)
  assert.equal(status, 200)
  assertEntity('AdminTag', body)
  return body
}

const put = (id: string, payload: object) => moderator.client.put<AdminTag>(`${PATH}/${id}`, payload)

async function auditOf(id: string) {
  return ctx.db
    .selectFrom('audit_log_entries')
    .select(['action', 'label', 'account_id', 'details'])
    .where('target_type', '=', 'tag')
    .where('target_id', '=', id)
    .orderBy('id')
    .execute()
}

/** Returns the names of the hashtags that the author finds. */
async function search(q: string): Promise<string[]> {
  const { body } = await moderator.client.get('/api/v2/search', { q, type: 'hashtags' })
  return (body.hashtags as AdminTag[]).map(({ name }) => name)
}

suite('hashtags for the staff', () => {
  test('have their review and their usage, newest first', async () => {
    const [first, second] = [await use('Robin'), await use('Wren')]
    const tag = await get(first)
    assert.deepEqual(
      [tag.name, tag.trendable, tag.usable, tag.listable, tag.requires_review],
      ['Robin', false, true, true, true],
    )
    assert.deepEqual([tag.following, tag.featuring, tag.history[0]!.uses], [false, false, '1'])
    const { body } = await moderator.client.get<AdminTag[]>(PATH)
    const ids = body.map(({ id }) => id)
    assert.ok(ids.indexOf(second) < ids.indexOf(first))
    for (const listed of body) assertEntity('AdminTag', listed)
  })

  test('are trendable by the setting of the server until the staff decide', async () => {
    const id = await use('Finch')
    const set = (text: string) => ctx.write((tx) => changeSetting(tx, { by: null, name: 'trends-unreviewed', text }))
    await set('on')
    assert.equal((await get(id)).trendable, true)
    await put(id, { trendable: false })
    assert.equal((await get(id)).trendable, false)
    await set('off')
    const { body } = await put(id, { trendable: true })
    assertEntity('AdminTag', body)
    assert.deepEqual([body.trendable, body.requires_review], [true, false])
  })

  test('get another spelling of the same name, but no other name', async () => {
    const id = await use('greattit')
    assert.equal((await put(id, { display_name: 'GreatTit' })).body.name, 'GreatTit')
    assert.equal((await author.client.get('/api/v1/tags/greattit')).body.name, 'GreatTit')
    for (const display_name of ['BlueTit', 'Great Tit', '#GreatTit', '', 'x'.repeat(10_000)]) {
      const { status, body } = await put(id, { display_name })
      assert.equal(status, 422, display_name)
      assert.match(JSON.stringify(body), /Validation failed: Display name/)
    }
    assert.equal((await get(id)).name, 'GreatTit')
  })

  test('that are not listable are not found by search until they are again', async () => {
    const id = await use('dunnock')
    assert.deepEqual(await search('dunnock'), ['dunnock'])
    assert.equal((await put(id, { listable: false })).body.listable, false)
    assert.deepEqual(await search('dunnock'), [])
    await put(id, { listable: true })
    assert.deepEqual(await search('dunnock'), ['dunnock'])
  })

  test('that are not usable have no page, feed and collection', async () => {
    const id = await use('magpie')
    const statuses = async () =>
      Promise.all(
        ['text/html', 'application/activity+json'].map(
          async (accept) => (await anonymous.send({ method: 'GET', url: '/tags/magpie', headers: { accept } })).status,
        ),
      )
    const feed = async () => (await anonymous.get('/tags/magpie.rss')).status
    assert.deepEqual([await statuses(), await feed()], [[200, 200], 200])
    assert.equal((await put(id, { usable: false })).body.usable, false)
    assert.deepEqual([await statuses(), await feed()], [[404, 404], 404])
    await put(id, { usable: true })
    assert.deepEqual([await statuses(), await feed()], [[200, 200], 200])
    await use('magpie')
    assert.equal((await get(id)).history[0]!.uses, '2')
  })

  test('that are not usable are refused in public posts and edits only', async () => {
    const [jay, rook] = [await use('Jay'), await use('rook')]
    const { body: before } = await post({ status: 'no bird' })
    for (const id of [jay, rook]) await put(id, { usable: false })
    const one = await post({ status: 'a #JAY and a #robin' })
    assert.deepEqual([one.status, one.body.error], [422, 'Validation failed: Text contained a disallowed hashtag: jay'])
    const several = await author.client.put(`/api/v1/statuses/${before.id}`, { status: '#rook #robin #jay' })
    assert.deepEqual(
      [several.status, several.body.error],
      [422, 'Validation failed: Text contained the disallowed hashtags: jay, rook'],
    )
    assert.equal((await author.client.get(`/api/v1/statuses/${before.id}`)).body.content, '<p>no bird</p>')
    const together = await Promise.all(['#jay', '#robin', '#rook'].map((status) => post({ status })))
    assert.deepEqual(
      together.map(({ status }) => status),
      [422, 200, 422],
    )
    for (const visibility of ['unlisted', 'private', 'direct']) {
      const { status, body } = await post({ status: '#jay', visibility })
      assert.equal(status, 200, visibility)
      const edited = await author.client.put(`/api/v1/statuses/${body.id}`, { status: '#jay #rook' })
      assert.equal(edited.status, 200, visibility)
    }
    await put(jay, { usable: true })
    assert.equal((await post({ status: '#jay' })).status, 200)
  })

  test('record each change in the audit log', async () => {
    const id = await use('siskin')
    await put(id, { trendable: true, listable: false })
    assert.deepEqual(await auditOf(id), [
      {
        action: 'update',
        label: 'siskin',
        account_id: moderator.accountId,
        details: { trendable: true, listable: false },
      },
    ])
    assert.equal((await put(id, { display_name: 'Crossbill' })).status, 422)
    assert.equal((await auditOf(id)).length, 1)
  })

  test('that do not exist are 404', async () => {
    for (const id of ['4711', '0', 'robin']) {
      assert.equal((await moderator.client.get(`${PATH}/${id}`)).status, 404, id)
      assert.equal((await put(id, { usable: false })).status, 404, id)
    }
  })
})

test('masto.js lists the hashtags of the trends', async () => {
  const id = await use('goldcrest')
  await ctx.db.insertInto('trending_tags').values({ tag_id: id, peak: 5, peaked_at: new Date(), score: 5 }).execute()
  const masto = createRestAPIClient({ url: await testServer.listen(), accessToken: moderator.token })
  const { tags } = masto.v1.admin.trends
  assert.deepEqual(
    (await tags.list()).map((tag) => [tag.id, tag.requiresReview]),
    [[id, true]],
  )
  assert.equal((await tags.$select(id).approve()).trendable, true)
  assert.equal((await tags.$select(id).reject()).trendable, false)
})
