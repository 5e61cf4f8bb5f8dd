import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openCommandLine } from '../../../test/command-line.ts'
import { assertEntity } from '../../../test/http/entities/entity-schemas.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'
import type { AdminIpBlock } from '../../entities/admin/sign-up-blocks/admin-ip-block.ts'

const testServer = await openTestServer()
after(testServer.close)
const linnet = await openCommandLine(testServer)
const listed = async () => (await linnet.json<AdminIpBlock[]>('ip-blocks', 'list')).map(({ ip }) => ip)
const noAccess = ['--severity', 'no_access']

test('ip-blocks add blocks addresses and ranges, and replaces existing blocks only with --force', async () => {
  assert.deepEqual(await linnet.lines('ip-blocks', 'add', '192.0.2.7', '2001:db8:5::/48', ...noAccess), [
    'Added 2, replaced 0, skipped 0, failed 0',
  ])
  const mixed = await linnet.run('ip-blocks', 'add', '192.0.2.7', 'example', '--severity', 'sign_up_block')
  assert.deepEqual(
    [mixed.code, mixed.stdout, mixed.stderr],
    [1, 'Added 0, replaced 0, skipped 1, failed 1\n', '"example" is not an IP address or a CIDR range\n'],
  )
  const more = ['--severity', 'sign_up_block', '--comment', 'Spam', '--duration', '3600', '--force']
  assert.deepEqual(await linnet.json('ip-blocks', 'add', '192.0.2.7', ...more), {
    added: [],
    replaced: ['192.0.2.7/32'],
    skipped: [],
    failed: [],
  })
  const blocks = await linnet.json<AdminIpBlock[]>('ip-blocks', 'list')
  for (const block of blocks) assertEntity('AdminIpBlock', block)
  assert.deepEqual(
    blocks.map(({ ip, severity, comment, expires_at }) => [ip, severity, comment, expires_at !== null]),
    [
      ['2001:db8:5::/48', 'no_access', '', false],
      ['192.0.2.7/32', 'sign_up_block', 'Spam', true],
    ],
  )
  const { code, stdout } = await linnet.run('ip-blocks', 'add', '192.0.2.8')
  assert.deepEqual([code, stdout], [1, ''])
})

test('ip-blocks export prints the ranges without access, also for nginx', async () => {
  assert.deepEqual(await linnet.lines('ip-blocks', 'export'), ['2001:db8:5::/48'])
  assert.deepEqual(await linnet.lines('ip-blocks', 'export', '--format', 'nginx'), ['deny 2001:db8:5::/48;'])
})

test('ip-blocks remove removes blocks inside a range, and with --force those around it', async () => {
  await linnet.lines('ip-blocks', 'add', '198.51.100.0/24', '198.51.100.8/29', ...noAccess)
  const before = await listed()
  assert.deepEqual(await linnet.lines('ip-blocks', 'remove', '198.51.0.0/16', '--dry-run'), [
    '198.51.100.0/24',
    '198.51.100.8/29',
    'Would remove 2, skipped 0, failed 0',
  ])
  assert.deepEqual(await listed(), before)
  assert.deepEqual(await linnet.lines('ip-blocks', 'remove', '198.51.100.9'), ['Removed 0, skipped 1, failed 0'])
  assert.deepEqual(await linnet.json('ip-blocks', 'remove', '198.51.100.9', '--force'), {
    dry_run: false,
    removed: ['198.51.100.0/24', '198.51.100.8/29'],
    skipped: [],
    failed: [],
  })
  assert.deepEqual(await listed(), ['2001:db8:5::/48', '192.0.2.7/32'])
})
