import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openCommandLine } from '../../../test/command-line.ts'
import { assertEntity } from '../../../test/http/entities/entity-schemas.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'
import type { AdminEmailDomainBlock } from '../../entities/admin/sign-up-blocks/admin-email-domain-block.ts'
import { listMailHosts } from '../../domain/email-blocks/check-email-domain.ts'

const testServer = await openTestServer()
after(testServer.close)
const { db } = testServer.ctx
const linnet = await openCommandLine(testServer)

async function listed(...args: string[]): Promise<string[]> {
  const blocks = await linnet.json<AdminEmailDomainBlock[]>('email-domain-blocks', 'list', ...args)
  for (const block of blocks) assertEntity('AdminEmailDomainBlock', block)
  return blocks.map(({ domain }) => domain)
}

test('domains of e-mail addresses are blocked and listed', async () => {
  assert.deepEqual(await linnet.lines('email-domain-blocks', 'add', 'Spam.test', 'bücher.test'), [
    'Added 2, skipped 0, failed 0',
  ])
  await linnet.lines('email-domain-blocks', 'add', 'doubtful.test', '--allow-with-approval')
  const mixed = await linnet.run('email-domain-blocks', 'add', 'spam.test', 'no domain')
  assert.deepEqual(
    [mixed.code, mixed.stdout, mixed.stderr],
    [1, 'Added 0, skipped 1, failed 1\n', '"no domain" is not a domain\n'],
  )
  assert.deepEqual(await listed(), ['doubtful.test', 'xn--bcher-kva.test', 'spam.test'])
  assert.deepEqual(await listed('--only-blocked'), ['xn--bcher-kva.test', 'spam.test'])
  assert.deepEqual(await listed('--only-with-approval'), ['doubtful.test'])
  const [row] = await linnet.lines('email-domain-blocks', 'list', '--only-with-approval')
  assert.deepEqual(row!.split('\t').slice(1, 3), ['doubtful.test', 'approval'])
})

test('blocks are removed by their exact domains, after a dry run that changes nothing', async () => {
  const names = ['bücher.test', 'sub.spam.test']
  assert.deepEqual(await linnet.json('email-domain-blocks', 'remove', ...names, '--dry-run'), {
    dry_run: true,
    removed: ['xn--bcher-kva.test'],
    skipped: ['sub.spam.test'],
    failed: [],
  })
  assert.deepEqual(await linnet.lines('email-domain-blocks', 'remove', ...names), ['Removed 1, skipped 1, failed 0'])
  assert.deepEqual(await listed(), ['doubtful.test', 'spam.test'])
  const entries = await db
    .selectFrom('audit_log_entries')
    .select(['action', 'account_id'])
    .where('label', '=', 'xn--bcher-kva.test')
    .orderBy('id')
    .execute()
  assert.deepEqual(entries, [
    { action: 'create', account_id: null },
    { action: 'delete', account_id: null },
  ])
})

test('the mail servers of a domain are listed once, in canonical form', async () => {
  const findMailHosts = async () => ['MX.Mail.test', 'mx.mail.test', 'not a host']
  assert.deepEqual(await listMailHosts({ findMailHosts }, { domain: 'any.test' }), ['mx.mail.test'])
})
