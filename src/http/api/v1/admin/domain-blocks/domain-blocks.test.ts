import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, suite, test } from 'node:test'
import { createRestAPIClient } from 'masto'
import { assertEntity } from '../../../../../../test/http/entities/entity-schemas.ts'
import { openTestServer } from '../../../../../../test/servers/test-server.ts'
import type { AdminDomainBlock } from '../../../../../entities/admin/federation/admin-domain-block.ts'

const PATH = '/api/v1/admin/domain_blocks'

const testServer = await openTestServer()
after(testServer.close)
const { db } = testServer.ctx
const { client, token, accountId } = await testServer.createUser({
  role: 'admin',
  scopes: 'read write admin:read admin:write',
})

async function create(settings: object): Promise<AdminDomainBlock> {
  const { status, body } = await client.post<AdminDomainBlock>(PATH, settings)
  assert.equal(status, 200, JSON.stringify(body))
  assertEntity('AdminDomainBlock', body)
  return body
}

async function remove(id: string): Promise<void> {
  const { status, body } = await client.delete(`${PATH}/${id}`)
  assert.deepEqual([status, body], [200, {}])
}

/** Tries to block a domain, and returns the domain of the block that prevents it. */
async function conflictOf(settings: object): Promise<string> {
  const { status, body } = await client.post(PATH, settings)
  assert.equal(status, 422, JSON.stringify(body))
  assert.deepEqual(Object.keys(body), ['error', 'existing_domain_block'])
  assertEntity('AdminDomainBlock', body.existing_domain_block)
  assert.ok(body.error.includes(body.existing_domain_block.domain))
  return body.existing_domain_block.domain
}

suite('domain blocks', () => {
  test('are limits without further options by default', async () => {
    const { id, created_at: createdAt, ...block } = await create({ domain: 'plain.test' })
    assert.deepEqual(block, {
      domain: 'plain.test',
      digest: createHash('sha256').update('plain.test').digest('hex'),
      severity: 'silence',
      reject_media: false,
      reject_reports: false,
      private_comment: null,
      public_comment: null,
      obfuscate: false,
    })
    assert.ok(Date.now() - Date.parse(createdAt) < 60_000)
    assert.deepEqual((await client.get(`${PATH}/${id}`)).body, { id, created_at: createdAt, ...block })
  })

  test('have all settings, which can be changed one by one', async () => {
    const settings = {
      severity: 'suspend',
      reject_media: true,
      reject_reports: true,
      private_comment: 'only for staff',
      public_comment: 'Spam',
      obfuscate: true,
    }
    const { id, ...block } = await create({ domain: 'full.test', ...settings })
    assert.deepEqual(block, { ...block, ...settings })
    const { status, body } = await client.put<AdminDomainBlock>(`${PATH}/${id}`, { severity: 'noop' })
    assert.equal(status, 200)
    assertEntity('AdminDomainBlock', body)
    assert.deepEqual(body, { id, ...block, severity: 'noop' })
    const changes = {
      reject_media: false,
      reject_reports: false,
      private_comment: '',
      public_comment: ' X ',
      obfuscate: false,
    }
    const changed = (await client.put(`${PATH}/${id}`, changes)).body
    assert.deepEqual(changed, { ...body, ...changes, private_comment: null, public_comment: 'X' })
    assert.deepEqual((await client.get(`${PATH}/${id}`)).body, changed)
  })

  test('VI15 have the canonical domain, whatever the spelling, and exist once for each domain', async () => {
    const { id, domain } = await create({ domain: ' BÜCHER.Example. ' })
    assert.equal(domain, 'xn--bcher-kva.example')
    for (const spelling of ['bücher.example', 'XN--BCHER-KVA.EXAMPLE', 'xn--bcher-kva.example.']) {
      assert.equal(await conflictOf({ domain: spelling, severity: 'suspend' }), domain)
    }
    assert.equal((await client.get(`${PATH}/${id}`)).body.severity, 'silence')
  })

  test('of a parent domain prevent blocks that are not stricter', async () => {
    await create({ domain: 'parent.test', reject_reports: true })
    for (const settings of [
      {},
      { reject_reports: true },
      { severity: 'noop', reject_media: true },
      { reject_media: true },
    ])
      assert.equal(await conflictOf({ domain: 'a.sub.parent.test', ...settings }), 'parent.test')
    await create({ domain: 'sub.parent.test', severity: 'suspend' })
    assert.equal(await conflictOf({ domain: 'a.sub.parent.test', severity: 'suspend' }), 'sub.parent.test')
    await create({ domain: 'b.parent.test', reject_reports: true, reject_media: true })
    // A similar name is no subdomain.
    await create({ domain: 'notparent.test', severity: 'noop' })
  })

  test('are refused with the reason if the domain or a parent domain has one', async () => {
    await create({ domain: 'reason.test' })
    const errorOf = async (settings: object) => (await client.post(PATH, settings)).body.error
    assert.equal(
      await errorOf({ domain: 'reason.test', severity: 'suspend' }),
      'A block of reason.test already exists. Change its settings instead',
    )
    assert.equal(
      await errorOf({ domain: 'sub.reason.test', severity: 'noop', reject_media: true }),
      'The block of reason.test already applies to this domain, and the new one is not stricter',
    )
  })

  test('are removed once, and can be created again', async () => {
    const { id } = await create({ domain: 'gone.test' })
    await remove(id)
    for (const request of [
      client.get(`${PATH}/${id}`),
      client.put(`${PATH}/${id}`, {}),
      client.delete(`${PATH}/${id}`),
    ])
      assert.deepEqual((await request).status, 404)
    assert.notEqual((await create({ domain: 'gone.test' })).id, id)
  })

  test('are in the audit log with each change', async () => {
    const { id } = await create({ domain: 'logged.test', private_comment: 'secret' })
    await client.put(`${PATH}/${id}`, { severity: 'suspend' })
    await conflictOf({ domain: 'logged.test' })
    await remove(id)
    const entries = await db
      .selectFrom('audit_log_entries')
      .select(['action', 'label', 'account_id', 'details'])
      .where('target_type', '=', 'domain_block')
      .where('target_id', '=', id)
      .orderBy('id')
      .execute()
    const details = { severity: 'silence', reject_media: false, reject_reports: false, obfuscate: false }
    const base = { label: 'logged.test', account_id: accountId }
    assert.deepEqual(entries, [
      { ...base, action: 'create', details },
      { ...base, action: 'update', details: { ...details, severity: 'suspend' } },
      { ...base, action: 'delete', details: {} },
    ])
  })

  test('are rejected if the domain or a comment is not valid, and for this server', async () => {
    const long = 'x'.repeat(1_001)
    for (const [settings, parameter] of [
      [{}, 'domain'],
      [{ domain: '' }, 'domain'],
      [{ domain: 'a b' }, 'domain'],
      [{ domain: 'https://bad.test/' }, 'domain'],
      [{ domain: 'linnet.test' }, 'domain'],
      [{ domain: 'bad.test', severity: 'block' }, 'severity'],
      [{ domain: 'bad.test', private_comment: long }, 'private_comment'],
      [{ domain: 'bad.test', public_comment: long }, 'public_comment'],
    ] as const) {
      const { status, body } = await client.post(PATH, settings)
      assert.equal(status, 422, JSON.stringify(settings))
      assert.deepEqual([Object.keys(body), Object.keys(body.details)], [['error', 'details'], [parameter]])
    }
    const { id } = await create({ domain: 'kept.test', public_comment: 'kept' })
    assert.equal((await client.put(`${PATH}/${id}`, { public_comment: long })).status, 422)
    assert.equal((await client.get(`${PATH}/${id}`)).body.public_comment, 'kept')
  })

  test('of two administrators at the same time become one block', async () => {
    const responses = await Promise.all(Array.from({ length: 4 }, () => client.post(PATH, { domain: 'race.test' })))
    assert.deepEqual(
      responses.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 422, 422, 422],
    )
  })

  test('show the progress of their application to known accounts, also after their removal', async () => {
    const progress = async (domain: string) => (await client.get(`${PATH}/progress`, { domain })).body
    const none = { domain: 'slow.test', state: 'none', part: 0, started_at: null, finished_at: null }
    assert.deepEqual(await progress('SLOW.test'), none)
    const { id } = await create({ domain: 'slow.test', severity: 'suspend' })
    await testServer.waitForJobs()
    const applied = await progress('slow.test')
    assert.deepEqual([applied.state, applied.part], ['finished', 1])
    assert.ok(applied.started_at <= applied.finished_at)
    await client.delete(`${PATH}/${id}`)
    await testServer.waitForJobs()
    const undone = await progress('slow.test')
    assert.equal(undone.state, 'finished')
    assert.ok(undone.started_at >= applied.finished_at)
    assert.equal((await client.get(`${PATH}/progress`)).status, 422)
  })

  test('work with masto.js', async () => {
    const url = await testServer.listen()
    const { domainBlocks } = createRestAPIClient({ url, accessToken: token }).v1.admin
    const { id } = await domainBlocks.create({ domain: 'masto.test', severity: 'noop', rejectMedia: true })
    assert.ok((await domainBlocks.list()).some((block) => block.id === id))
    assert.equal((await domainBlocks.$select(id).update({ severity: 'silence' })).severity, 'silence')
    assert.equal((await domainBlocks.$select(id).fetch()).rejectMedia, true)
    await domainBlocks.$select(id).remove()
    await assert.rejects(domainBlocks.$select(id).fetch(), /Record not found/)
  })
})
