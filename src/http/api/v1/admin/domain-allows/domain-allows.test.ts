import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { createRestAPIClient } from 'masto'
import { assertEntity } from '../../../../../../test/http/entities/entity-schemas.ts'
import { openTestServer } from '../../../../../../test/servers/test-server.ts'
import type { AdminDomainAllow } from '../../../../../entities/admin/federation/admin-domain-allow.ts'

const PATH = '/api/v1/admin/domain_allows'

const testServer = await openTestServer({ effects: false })
after(testServer.close)
const { client, token, accountId } = await testServer.createUser({
  role: 'admin',
  scopes: 'read write admin:read admin:write',
})

async function allow(domain: string): Promise<AdminDomainAllow> {
  const { status, body } = await client.post<AdminDomainAllow>(PATH, { domain })
  assert.equal(status, 200, JSON.stringify(body))
  assertEntity('AdminDomainAllow', body)
  return body
}

suite('domain allows', () => {
  test('have the canonical domain, and exist once for each domain', async () => {
    const first = await allow(' BÜCHER.Example. ')
    assert.equal(first.domain, 'xn--bcher-kva.example')
    for (const spelling of ['bücher.example', 'XN--BCHER-KVA.EXAMPLE']) assert.deepEqual(await allow(spelling), first)
    assert.deepEqual((await client.get(`${PATH}/${first.id}`)).body, first)
    const second = await allow('sub.xn--bcher-kva.example')
    assert.deepEqual((await client.get(PATH)).body, [second, first])
  })

  test('do not include this server', async () => {
    const { status, body } = await client.post(PATH, { domain: 'Linnet.test' })
    assert.deepEqual([status, body.error], [422, 'Validation failed: Domain is this server itself'])
  })

  test('are removed once, and each change is in the audit log once', async () => {
    const { id } = await allow('logged.test')
    await allow('logged.test')
    const { status, body } = await client.delete(`${PATH}/${id}`)
    assert.deepEqual([status, body], [200, {}])
    for (const request of [client.get(`${PATH}/${id}`), client.delete(`${PATH}/${id}`)])
      assert.equal((await request).status, 404)
    const entries = await testServer.ctx.db
      .selectFrom('audit_log_entries')
      .select(['action', 'label', 'account_id'])
      .where('target_type', '=', 'domain_allow')
      .where('target_id', '=', id)
      .orderBy('id')
      .execute()
    const base = { label: 'logged.test', account_id: accountId }
    assert.deepEqual(entries, [
      { action: 'create', ...base },
      { action: 'delete', ...base },
    ])
  })

  test('are rejected if the domain is not valid', async () => {
    for (const body of [{}, { domain: '' }, { domain: 'a b' }, { domain: 'https://good.test/' }])
      assert.equal((await client.post(PATH, body)).status, 422, JSON.stringify(body))
  })

  test('work with masto.js', async () => {
    const url = await testServer.listen()
    const { domainAllows } = createRestAPIClient({ url, accessToken: token }).v1.admin
    const { id } = await domainAllows.create({ domain: 'masto.test' })
    assert.ok((await domainAllows.list()).some((one) => one.id === id))
    assert.equal((await domainAllows.$select(id).fetch()).domain, 'masto.test')
    await domainAllows.$select(id).remove()
    await assert.rejects(domainAllows.$select(id).fetch(), /Record not found/)
  })
})
