import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { createRemoteAccount, uniqueName } from '../../../../../../test/federation/remote-records.ts'
import { multipart } from '../../../../../../test/http/client.ts'
import { assertEntity } from '../../../../../../test/http/entities/entity-schemas.ts'
import { openTestServer } from '../../../../../../test/servers/test-server.ts'
import { permissionBit } from '../../../../../domain/access/permissions.ts'
import type {
  AdminDomainBlockDraft,
  AdminDomainBlockImport,
} from '../../../../../entities/admin/federation/admin-domain-block-import.ts'

const PATH = '/api/v1/admin/domain_block_imports'
const EXPORT = '/api/v1/admin/export_domain_blocks'
const HEADER = '#domain,#severity,#reject_media,#reject_reports,#public_comment,#obfuscate'

let aheadMs = 0
const testServer = await openTestServer({ now: () => new Date(Date.now() + aheadMs) })
after(testServer.close)
const { ctx } = testServer
const { db } = ctx
const scopes = 'read write follow admin:read admin:write'
const { client, accountId } = await testServer.createUser({ role: 'admin', scopes })

async function upload(text: string): Promise<AdminDomainBlockImport> {
  const { status, body } = await client.post<AdminDomainBlockImport>(PATH, { text })
  assert.equal(status, 200, JSON.stringify(body))
  assertEntity('AdminDomainBlockImport', body)
  return body
}

async function draftsOf(id: string): Promise<AdminDomainBlockDraft[]> {
  const { status, body } = await client.get<AdminDomainBlockDraft[]>(`${PATH}/${id}/drafts`)
  assert.equal(status, 200, JSON.stringify(body))
  for (const draft of body) assertEntity('AdminDomainBlockDraft', draft)
  return body
}

async function confirm(id: string, selection: object = {}): Promise<AdminDomainBlockImport> {
  const { status, body } = await client.post(`${PATH}/${id}/confirm`, selection)
  assert.equal(status, 200, JSON.stringify(body))
  await testServer.waitForJobs()
  return (await client.get<AdminDomainBlockImport>(`${PATH}/${id}`)).body
}

async function importAll(text: string, selection: object = {}): Promise<AdminDomainBlockImport> {
  return confirm((await upload(text)).id, selection)
}

const blockOf = (domain: string) =>
  db.selectFrom('domain_blocks').selectAll().where('domain', '=', domain).executeTakeFirst()

const errorOf = async (body: object) => {
  const response = await client.post(PATH, body)
  return [response.status, response.body.error]
}

suite('a list of domain blocks', () => {
  test('becomes drafts with their impact, and blocks nothing before it is confirmed', async () => {
    const name = uniqueName()
    const remote = await createRemoteAccount(ctx, {
      handle: { username: name, domain: 'deep.bad.test' },
      uri: `https://deep.bad.test/users/${name}`,
    })
    await client.post(`/api/v1/accounts/${remote}/follow`)
    await db.deleteFrom('follow_requests').execute()
    await db.insertInto('follows').values({ account_id: accountId, target_account_id: remote }).execute()
    const list = await upload(
      `\uFEFF${HEADER}\r\nbad.test,suspend,True,false,"Spam, ""fake"" shops",false\r\n\r\nquiet.test,silence,,,,\r\n`,
    )
    const { id, created_at: createdAt, ...numbers } = list
    assert.ok(Date.now() - Date.parse(createdAt) < 60_000)
    assert.deepEqual(numbers, {
      state: 'draft',
      overwrite: false,
      finished_at: null,
      new_count: 2,
      changed_count: 0,
      unchanged_count: 0,
      invalid_count: 0,
      selected_count: 0,
      applied_count: 0,
      skipped_count: 0,
      failed_count: 0,
    })
    const [bad, quiet] = await draftsOf(id)
    const { id: _id, ...draft } = bad!
    assert.deepEqual(draft, {
      line: 2,
      domain: 'bad.test',
      severity: 'suspend',
      reject_media: true,
      reject_reports: false,
      public_comment: 'Spam, "fake" shops',
      obfuscate: false,
      status: 'new',
      weakens: false,
      error: null,
      error_code: null,
      repeated_line: null,
      accounts_count: 1,
      follows_count: 1,
      state: 'draft',
    })
    assert.deepEqual([quiet!.domain, quiet!.severity, quiet!.accounts_count], ['quiet.test', 'silence', 0])
    assert.equal(await blockOf('bad.test'), undefined)

    const applied = await confirm(id, { ids: [bad!.id] })
    assert.deepEqual([applied.state, applied.applied_count, applied.selected_count], ['applied', 1, 0])
    assert.deepEqual(
      (await draftsOf(id)).map(({ state }) => state),
      ['applied', 'draft'],
    )
    assert.equal((await blockOf('bad.test'))?.severity, 'suspend')
    assert.equal(await blockOf('quiet.test'), undefined)
    const follows = await db.selectFrom('follows').select('id').where('target_account_id', '=', remote).execute()
    assert.deepEqual(follows, [], 'the same effects as those of a single block')
    const entries = await db
      .selectFrom('audit_log_entries')
      .select(['account_id', 'target_type', 'action'])
      .orderBy('id')
      .execute()
    assert.deepEqual(entries, [
      { account_id: accountId, target_type: 'domain_block_import', action: 'create' },
      { account_id: accountId, target_type: 'domain_block_import', action: 'confirm' },
      { account_id: accountId, target_type: 'domain_block', action: 'create' },
    ])
    assert.equal((await client.post(`${PATH}/${id}/confirm`)).status, 422)
  })

  test('VI15 blocks a domain in every spelling, with subdomains, handles and account ids, and no other domain', async () => {
    const ascii = 'xn--mnchen-3ya.test'
    const create = (domain: string, host = domain) => {
      const username = uniqueName()
      return createRemoteAccount(ctx, { handle: { username, domain }, uri: `https://${host}/users/${username}` })
    }
    const inside = [
      await create(ascii),
      await create(`a.b.${ascii}`),
      // The domain of the handle differs from the host of the account id.
      await create('innocent.test', `www.${ascii}`),
      await create(ascii, 'innocent.test'),
    ]
    const outside = [await create(`a${ascii}`), await create(`${ascii}.example`), await create('innocent.test')]
    const suspendedIds = async () => {
      await testServer.waitForJobs()
      const rows = await db.selectFrom('accounts').select('id').where('suspended_at', 'is not', null).execute()
      return [...inside, ...outside].filter((id) => rows.some((row) => row.id === id))
    }
    const byApi = async (domain: string) => {
      const { status } = await client.post('/api/v1/admin/domain_blocks', { domain, severity: 'suspend' })
      assert.equal(status, 200, domain)
    }
    for (const spelling of [
      'MÜNCHEN.test',
      ' münchen.test. ',
      'xn--mnchen-3ya.TEST',
      'münchen．test',
      'münchen.test:443',
    ]) {
      for (const block of [byApi, (domain: string) => importAll(`"*.${domain.trim()}",suspend`)]) {
        assert.deepEqual(await suspendedIds(), [])
        await block(spelling)
        assert.deepEqual(await suspendedIds(), inside, spelling)
        assert.equal((await upload(spelling)).unchanged_count, 1)
        const { id } = (await blockOf(ascii))!
        assert.equal((await client.delete(`/api/v1/admin/domain_blocks/${id}`)).status, 200)
      }
    }
  })

  test('never weakens existing blocks, except if it may overwrite them', async () => {
    await importAll('strict.test,suspend,false,false,Reason,false\nsoft.test,silence\nsame.test,silence')
    const text = `${HEADER}
      strict.test,silence,false,false,,false
      sub.strict.test,silence,false,false,,false
      soft.test,suspend,false,false,Worse,true
      same.test,silence,false,false,,false`
    const { id } = await upload(text)
    assert.deepEqual(
      (await draftsOf(id)).map(({ status, weakens }) => [status, weakens]),
      [
        ['changed', true],
        ['new', true],
        ['changed', false],
        ['unchanged', false],
      ],
    )
    const { applied_count: applied, skipped_count: skipped } = await confirm(id)
    assert.deepEqual([applied, skipped], [1, 2])
    const severities = async () =>
      [await blockOf('strict.test'), await blockOf('sub.strict.test'), await blockOf('soft.test')].map(
        (block) => block?.severity,
      )
    assert.deepEqual(await severities(), ['suspend', undefined, 'suspend'])
    assert.equal((await blockOf('soft.test'))?.public_comment, 'Worse')
    await importAll('strict.test,suspend,true,false,,false')
    assert.equal((await blockOf('strict.test'))?.public_comment, 'Reason', 'an empty comment replaces none')
    await importAll(text, { overwrite: true, domains: ['STRICT.test', 'sub.strict.test'] })
    assert.deepEqual(await severities(), ['silence', 'silence', 'suspend'])
  })

  test('has invalid rows with their reasons, which are never applied', async () => {
    const rows = [
      ['exa***.com', 'has an obfuscated domain'],
      ['not a domain', 'has no valid domain'],
      ['linnet.test', 'is this server itself'],
      ['fine.test,ban', 'has an unknown severity'],
      ['fine.test,suspend,perhaps', 'has a value that is neither true nor false'],
      [`fine.test,suspend,,,${'x'.repeat(1_001)}`, 'has a comment that is too long'],
      ['twice.test', null],
      ['TWICE.test.', 'repeats the domain of line 7'],
      [',suspend', 'has no valid domain'],
    ]
    const { id, invalid_count: invalid } = await upload(rows.map(([row]) => row).join('\n'))
    assert.deepEqual(
      (await draftsOf(id)).map(({ error }) => error),
      rows.map(([, error]) => error),
    )
    const repeated = (await draftsOf(id))[7]!
    assert.deepEqual([repeated.error_code, repeated.repeated_line], ['repeated', 7])
    assert.equal(invalid, 8)
    assert.equal((await confirm(id)).applied_count, 1)
    assert.equal(await blockOf('fine.test'), undefined)
  })

  test('is refused if it is too large, empty, or not CSV', async () => {
    assert.deepEqual(await errorOf({}), [400, 'param is missing or the value is empty or invalid: file'])
    assert.deepEqual(await errorOf({ text: `${HEADER}\n` }), [422, 'The list has no domains'])
    assert.deepEqual(await errorOf({ text: '#severity\nsuspend' }), [422, 'The list has no column #domain'])
    assert.deepEqual(await errorOf({ text: 'a"b.test,"x' }), [422, 'The list is not a valid CSV file'])
    const many = Array.from({ length: 10_001 }, (_, n) => `d${n}.test`).join('\n')
    assert.deepEqual(await errorOf({ text: many }), [422, 'A list has at most 10000 domains'])
    assert.deepEqual(await errorOf({ text: 'x'.repeat(1024 * 1024 + 1) }), [
      413,
      'A list of domain blocks has at most 1 MB',
    ])
    const form = await multipart({
      file: { filename: 'a.csv', type: 'text/csv', bytes: Buffer.from([0xff, 0xfe, 0x41]) },
    })
    const latin = await client.post(PATH, form.payload, form.headers)
    assert.deepEqual([latin.status, latin.body.error], [422, 'The list is not encoded as UTF-8'])
  })

  test('is uploaded as a file, paged, listed, deleted, and forgotten after 30 days', async () => {
    const bytes = Buffer.from(Array.from({ length: 250 }, (_, n) => `d${n}.test`).join('\n'))
    const form = await multipart({ file: { filename: 'list.csv', type: 'text/csv', bytes } })
    const { body } = await client.post(PATH, form.payload, form.headers)
    assert.equal(body.new_count, 250)
    const page = await client.get<AdminDomainBlockDraft[]>(`${PATH}/${body.id}/drafts`, { limit: '3' })
    assert.deepEqual(
      page.body.map(({ domain }) => domain),
      ['d0.test', 'd1.test', 'd2.test'],
    )
    const next = await client.get(`${PATH}/${body.id}/drafts`, { limit: '1', max_id: page.body[2]!.id })
    assert.equal(next.body[0].domain, 'd3.test')
    assert.deepEqual((await client.delete(`${PATH}/${body.id}`)).body, {})
    for (const path of ['', '/drafts']) assert.equal((await client.get(`${PATH}/${body.id}${path}`)).status, 404)
    assert.equal((await client.delete(`${PATH}/${body.id}`)).status, 404)
    assert.equal((await client.post(`${PATH}/${body.id}/confirm`)).status, 404)
    const first = await upload('first.test')
    const { id } = await upload('old.test')
    const listed = await client.get<AdminDomainBlockImport[]>(PATH)
    for (const one of listed.body) assertEntity('AdminDomainBlockImport', one)
    assert.deepEqual(
      listed.body.slice(0, 2).map((one) => [one.id, one.state, one.new_count]),
      [
        [id, 'draft', 1],
        [first.id, 'draft', 1],
      ],
    )
    assert.equal((await client.get(PATH, { limit: '1', max_id: id })).body[0].id, first.id)
    aheadMs = 31 * 86_400_000
    await ctx.write(async (tx) => tx.emit('clock.hourly', {}))
    await testServer.waitForJobs()
    assert.equal((await client.get(`${PATH}/${id}`)).status, 404)
    assert.deepEqual((await client.get(PATH)).body, [])
    aheadMs = 0
  })

  test('needs the permission to manage federation, like the export', async () => {
    const user = await testServer.createUser({ scopes })
    await db
      .updateTable('roles')
      .set({ permissions: String(permissionBit('manageBlocks')) })
      .where('id', '=', '1')
      .execute()
    assert.equal((await user.client.post(PATH, { text: 'x.test' })).status, 403)
    assert.equal((await user.client.get(PATH)).status, 403)
    assert.equal((await user.client.get(EXPORT)).status, 403)
  })
})
