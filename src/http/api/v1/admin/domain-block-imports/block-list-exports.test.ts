import assert from 'node:assert/strict'
import { after, suite, test } from 'node:test'
import { openTestServer } from '../../../../../../test/servers/test-server.ts'

const PATH = '/api/v1/admin/domain_block_imports'
const EXPORT = '/api/v1/admin/export_domain_blocks'
const HEADER = '#domain,#severity,#reject_media,#reject_reports,#public_comment,#obfuscate'

const testServer = await openTestServer()
after(testServer.close)
const { db } = testServer.ctx
const { client } = await testServer.createUser({ role: 'admin', scopes: 'admin:read admin:write' })

async function upload(text: string) {
  const { status, body } = await client.post(PATH, { text })
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

async function importAll(text: string): Promise<void> {
  const { id } = await upload(text)
  assert.equal((await client.post(`${PATH}/${id}/confirm`)).status, 200)
  await testServer.waitForJobs()
}

suite('a list of domains', () => {
  test('AD4 is exported without formulas for spreadsheets, and read again without changes', async () => {
    await db.deleteFrom('domain_blocks').execute()
    const comments = ['=cmd()', '+1', '-1', '@sum', "'=quoted", 'a\nb', 'plain', 'a "b", c', '＝wide', '\t=x'].map(
      (text) => text.trim(),
    )
    for (const [n, comment] of comments.entries()) {
      const settings = { domain: `e${n}.test`, severity: 'suspend', public_comment: comment, private_comment: 'secret' }
      assert.equal((await client.post('/api/v1/admin/domain_blocks', settings)).status, 200)
    }
    const { status, body: text, headers } = await client.get<string>(EXPORT)
    assert.equal(status, 200)
    assert.equal(headers['content-type'], 'text/csv; charset=utf-8')
    assert.equal(headers['content-disposition'], 'attachment; filename="domain_blocks.csv"')
    assert.equal(text.split('\n')[0], HEADER)
    assert.ok(!text.includes('secret'))
    for (const cell of text.split(/[,\n]/)) assert.doesNotMatch(cell.replace(/^"/, ''), /^[=+\-@\t\r＝]/)
    assert.match(text, /^e0\.test,suspend,false,false,'=cmd\(\),false$/m)
    assert.equal((await upload(text)).unchanged_count, comments.length)
    await db.deleteFrom('domain_blocks').execute()
    await importAll(text)
    const blocks = await db.selectFrom('domain_blocks').select('public_comment').orderBy('domain').execute()
    assert.deepEqual(
      blocks.map((block) => block.public_comment),
      comments,
    )
  })

  test('is exported also for allowed domains and e-mail domains', async () => {
    await client.post('/api/v1/admin/domain_allows', { domain: 'good.test' })
    await client.post('/api/v1/admin/email_domain_blocks', { domain: 'trash.test', allow_with_approval: true })
    assert.equal((await client.get('/api/v1/admin/export_domain_allows')).body, '#domain\ngood.test\n')
    assert.equal(
      (await client.get('/api/v1/admin/export_email_domain_blocks')).body,
      '#domain,#allow_with_approval\ntrash.test,true\n',
    )
  })
})
