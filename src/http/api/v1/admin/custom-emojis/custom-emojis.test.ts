import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { openPeer } from '../../../../../../test/federation/peer/open-peer.ts'
import { multipart } from '../../../../../../test/http/client.ts'
import { createVisitor } from '../../../../../../test/http/create-visitor.ts'
import { assertEntity } from '../../../../../../test/http/entities/entity-schemas.ts'
import { createImage } from '../../../../../../test/media/images.ts'
import { openTestServer } from '../../../../../../test/servers/test-server.ts'
import { until } from '../../../../../../test/streaming/streams.ts'
import { recordRemoteEmojis } from '../../../../../domain/emojis/record-remote-emojis.ts'
import type { AdminCustomEmoji } from '../../../../../entities/admin/content/admin-custom-emoji.ts'
import type { CustomEmoji } from '../../../../../entities/statuses/emoji.ts'
import type { Status } from '../../../../../entities/statuses/status.ts'

const PATH = '/api/v1/admin/custom_emojis'

const peer = await openPeer({ hosts: ['far.test'] })
const testServer = await openTestServer({ env: peer.env, extraCa: peer.ca })
after(async () => {
  await testServer.close()
  await peer.close()
})
const { ctx } = testServer
const far = peer.host('far.test')
const read = createVisitor(testServer)
const admin = await testServer.createUser({ role: 'owner', scopes: 'admin:read admin:write write:statuses' })
const png = await createImage('png')
const webp = await createImage('webp')

type Fields = Record<string, string>

const form = (fields: Fields, bytes?: Buffer) =>
  multipart({ ...fields, ...(bytes && { image: { filename: 'x.png', type: 'image/png', bytes } }) })
async function send(method: 'post' | 'put', path: string, fields: Fields, bytes?: Buffer) {
  const { payload, headers } = await form(fields, bytes)
  return admin.client[method]<AdminCustomEmoji & { error?: string }>(path, payload, headers)
}
async function create(fields: Fields): Promise<AdminCustomEmoji> {
  const { status, body } = await send('post', PATH, fields, png)
  assert.equal(status, 200, JSON.stringify(body))
  assertEntity('AdminCustomEmoji', body)
  return body
}
async function createRemote(shortcode: string, { body = png, status = 200 } = {}): Promise<AdminCustomEmoji> {
  far.serveAt(`/${shortcode}.png`, () => ({ status, headers: { 'content-type': 'image/png' }, body }))
  const emoji = { uri: null, shortcode, imageUrl: `https://far.test/${shortcode}.png`, updatedAt: null }
  const facts = { domain: 'far.test', emojis: [emoji], texts: [`:${shortcode}:`] }
  const [id] = await ctx.write((tx) => recordRemoteEmojis(tx, facts))
  const found = await admin.client.get<AdminCustomEmoji>(`${PATH}/${id}`)
  assertEntity('AdminCustomEmoji', found.body)
  return found.body
}
const put = (id: string, payload: object) => admin.client.put<AdminCustomEmoji>(`${PATH}/${id}`, payload)
const list = async (query: Record<string, unknown> = {}) =>
  (await admin.client.get<AdminCustomEmoji[]>(PATH, query)).body.map(({ shortcode }) => shortcode)
const fetchFile = async (url: string) => (await testServer.server.inject(new URL(url).pathname)).statusCode
const post = async (text: string) => (await admin.client.post<Status>('/api/v1/statuses', { status: text })).body
const emojisOf = async ({ id }: Status) =>
  (await testServer.anonymous.get<Status>(`/api/v1/statuses/${id}`)).body.emojis.map(({ shortcode }) => shortcode)
const readDocument = async (uri: string) =>
  (await testServer.anonymous.send({ url: new URL(uri).pathname, headers: { accept: 'application/activity+json' } }))
    .body
const entriesOf = (id: string) =>
  ctx.db
    .selectFrom('audit_log_entries')
    .select(['action', 'label', 'details', 'account_id'])
    .where('target_type', '=', 'custom_emoji')
    .where('target_id', '=', id)
    .orderBy('id')
    .execute()

/** Polls the list of pickers, which is cached for a moment. */
async function pickerHas(shortcode: string, expected: boolean): Promise<void> {
  await until(async () => {
    const { body } = await read<CustomEmoji[]>('/api/v1/custom_emojis')
    return body.some((emoji) => emoji.shortcode === shortcode) === expected
  })
}

suite('custom emojis', () => {
  test('are added, changed, disabled and deleted, and statuses, pickers and other servers see it', async () => {
    const emoji = await create({ shortcode: 'blob', category: ' Blobs ' })
    const { id, category, domain, visible_in_picker: listed, disabled } = emoji
    assert.deepEqual([category, domain, listed, disabled], ['Blobs', null, true, false])
    assert.equal(await fetchFile(emoji.url!), 200)
    await pickerHas('blob', true)
    const status = await post('Hello :blob:')
    assert.deepEqual(await emojisOf(status), ['blob'])
    assert.equal((await readDocument(status.uri)).tag[0].name, ':blob:')

    const replaced = await send('put', `${PATH}/${id}`, { category: '' }, webp)
    assert.equal(replaced.status, 200, JSON.stringify(replaced.body))
    assert.equal(replaced.body.category, null)
    assert.notEqual(replaced.body.url, emoji.url)
    await testServer.waitForJobs()
    assert.deepEqual([await fetchFile(replaced.body.url!), await fetchFile(emoji.url!)], [200, 404])

    assert.equal((await put(id, { disabled: true })).body.disabled, true)
    assert.deepEqual(await emojisOf(status), [])
    assert.deepEqual((await readDocument(status.uri)).tag, [])
    await pickerHas('blob', false)
    assert.equal((await put(id, { disabled: false, visible_in_picker: false })).body.visible_in_picker, false)
    assert.deepEqual(await emojisOf(status), ['blob'])

    const removed = await admin.client.delete(`${PATH}/${id}`)
    assert.deepEqual([removed.status, removed.body], [200, {}])
    await testServer.waitForJobs()
    assert.equal(await fetchFile(replaced.body.url!), 404)
    assert.deepEqual(await emojisOf(status), [])
    const entries = await entriesOf(id)
    assert.deepEqual(
      entries.map(({ action, label, account_id: actor }) => [action, label, actor]),
      ['create', 'update', 'update', 'update', 'delete'].map((action) => [action, ':blob:', admin.accountId]),
    )
    assert.deepEqual(entries[1]!.details, { image: true, category: null, visible_in_picker: true, disabled: false })
  })

  test('need a valid image and a shortcode that does not exist yet, also for concurrent requests', async () => {
    const answers = await Promise.all([1, 2, 3].map(() => send('post', PATH, { shortcode: 'once' }, png)))
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 422, 422],
    )
    for (const { status, body } of answers)
      assert.equal(body.error, status === 200 ? undefined : 'Validation failed: Shortcode has already been taken')
    const { id } = answers.find(({ status }) => status === 200)!.body
    for (const [fields, bytes] of [
      [{}, png],
      [{ shortcode: 'no image' }, undefined],
      [{ shortcode: 'new_one' }, undefined],
      [{ shortcode: 'new-one' }, png],
      [{ shortcode: 'new_one' }, await createImage('jpeg')],
      [{ shortcode: 'new_one' }, Buffer.from('no image')],
      [{ shortcode: 'new_one', category: 'x'.repeat(101) }, png],
    ] as const)
      assert.equal((await send('post', PATH, fields, bytes)).status, 422, JSON.stringify(fields).slice(0, 60))
    assert.equal((await send('put', `${PATH}/${id}`, {}, Buffer.from('no image'))).status, 422)
    assert.equal((await put(id, { category: 'x'.repeat(101) })).status, 422)
    assert.deepEqual(await list({ shortcode: 'new' }), [])
    assert.equal((await admin.client.delete(`${PATH}/${id}`)).status, 200)
  })

  test('are filtered by origin, domain, beginning of the shortcode, category and state', async () => {
    for (const { id } of (await admin.client.get<AdminCustomEmoji[]>(PATH)).body)
      await admin.client.delete(`${PATH}/${id}`)
    const [cat, dog] = [
      await create({ shortcode: 'pet_cat', category: 'Pets' }),
      await create({ shortcode: 'pet_dog' }),
    ]
    await createRemote('pet_cow')
    await put(dog.id, { disabled: true })
    assert.deepEqual(await list(), ['pet_cow', 'pet_dog', 'pet_cat'])
    for (const [query, expected] of [
      [{ origin: 'local' }, ['pet_dog', 'pet_cat']],
      [{ origin: 'remote' }, ['pet_cow']],
      [{ by_domain: 'FAR.test' }, ['pet_cow']],
      [{ by_domain: 'near.test' }, []],
      [{ origin: 'local', by_domain: 'far.test' }, []],
      [{ shortcode: 'pet_c' }, ['pet_cow', 'pet_cat']],
      [{ shortcode: '%' }, []],
      [{ category: 'Pets' }, ['pet_cat']],
      [{ disabled: true }, ['pet_dog']],
      [{ origin: 'local', disabled: false }, ['pet_cat']],
      [{ origin: 'local', max_id: dog.id }, ['pet_cat']],
      [{ origin: 'local', min_id: cat.id }, ['pet_dog']],
    ] as const)
      assert.deepEqual(await list(query), expected, JSON.stringify(query))
    const { headers } = await admin.client.get(PATH, { origin: 'local', limit: 1 })
    assert.match(String(headers['link']), /origin=local/)
  })

  test('have categories, which can be renamed and joined', async () => {
    const emoji = await create({ shortcode: 'pet_hen', category: 'Birds' })
    const categories = await admin.client.get(`${PATH}/categories`)
    assert.deepEqual(categories.body, [
      { name: 'Birds', emojis_count: 1 },
      { name: 'Pets', emojis_count: 1 },
    ])
    const rename = (name: string, newName: string) =>
      admin.client.put(`${PATH}/categories`, { name, new_name: newName })
    assert.deepEqual((await rename('Pets', ' Birds ')).body, [{ name: 'Birds', emojis_count: 2 }])
    assert.deepEqual((await rename('Birds', 'Animals')).body, [{ name: 'Animals', emojis_count: 2 }])
    assert.equal((await admin.client.get<AdminCustomEmoji>(`${PATH}/${emoji.id}`)).body.category, 'Animals')
    assert.deepEqual([(await rename('Pets', 'x')).status, (await rename('', 'x')).status], [404, 404])
    assert.deepEqual([(await rename('Animals', ' ')).status], [422])
    assert.deepEqual([(await rename('Animals', 'x'.repeat(101))).status], [422])
    const entries = await ctx.db
      .selectFrom('audit_log_entries')
      .select(['action', 'label', 'details'])
      .where('target_type', '=', 'custom_emoji_category')
      .orderBy('id')
      .execute()
    assert.deepEqual(entries, [
      { action: 'rename', label: 'Birds', details: { old: 'Pets', emojis: 1 } },
      { action: 'rename', label: 'Animals', details: { old: 'Birds', emojis: 2 } },
    ])
  })

  test('of other servers are copied, disabled and deleted, but not changed', async () => {
    const remote = await createRemote('wave')
    const copied = await admin.client.post<AdminCustomEmoji>(`${PATH}/${remote.id}/copy`, { category: 'Hands' })
    assert.equal(copied.status, 200, JSON.stringify(copied.body))
    const { id, shortcode, domain, category, url } = copied.body
    assert.deepEqual([shortcode, domain, category], ['wave', null, 'Hands'])
    assert.equal(await fetchFile(url!), 200)
    await pickerHas('wave', true)
    const [entry] = await entriesOf(id)
    assert.deepEqual(
      [entry!.action, entry!.details],
      ['copy', { category: 'Hands', visible_in_picker: true, domain: 'far.test' }],
    )
    const again = await admin.client.post(`${PATH}/${remote.id}/copy`)
    assert.deepEqual([again.status, again.body.error], [422, 'There is a local emoji :wave: already'])
    assert.equal((await admin.client.post(`${PATH}/${id}/copy`)).status, 422)
    const missing = await createRemote('missing', { status: 404 })
    assert.equal((await admin.client.post(`${PATH}/${missing.id}/copy`)).status, 422)

    assert.equal((await put(remote.id, { disabled: true })).body.disabled, true)
    assert.equal((await put(remote.id, { category: 'x' })).status, 422)
    assert.equal((await send('put', `${PATH}/${remote.id}`, {}, png)).status, 422)
    assert.equal((await admin.client.delete(`${PATH}/${remote.id}`)).status, 200)
    assert.equal((await admin.client.get(`${PATH}/${remote.id}`)).status, 404)
  })

  test('that do not exist are 404', async () => {
    for (const id of ['4711', '0', 'nonsense']) {
      for (const { status } of [
        await admin.client.get(`${PATH}/${id}`),
        await put(id, { disabled: true }),
        await send('put', `${PATH}/${id}`, {}, png),
        await admin.client.post(`${PATH}/${id}/copy`),
        await admin.client.delete(`${PATH}/${id}`),
      ])
        assert.equal(status, 404, id)
    }
  })
})
