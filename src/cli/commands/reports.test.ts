import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { openCommandLine } from '../../../test/command-line.ts'
import { assertEntity } from '../../../test/http/entities/entity-schemas.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'
import type { AdminReport } from '../../entities/admin/content/admin-report.ts'
import type { Status } from '../../entities/statuses/status.ts'

const testServer = await openTestServer()
after(testServer.close)
const { db } = testServer.ctx
const linnet = await openCommandLine(testServer)
const [reporter, target, moderator] = [
  await testServer.createUser({ username: 'reporter' }),
  await testServer.createUser({ username: 'target' }),
  await testServer.createUser({ username: 'judge', role: 'moderator' }),
]
const { body: status } = await target.client.post<Status>('/api/v1/statuses', { status: 'Something' })

async function report(comment: string): Promise<string> {
  const payload = { account_id: target.accountId, status_ids: [status.id], comment }
  return (await reporter.client.post('/api/v1/reports', payload)).body.id
}
const first = await report('Look\nat this')
const second = await report('Again')

const cellsOf = async (...args: string[]) =>
  (await linnet.lines('reports', 'list', ...args)).map((line) => line.split('\t'))

test('reports list prints the unresolved reports, newest first', async () => {
  assert.deepEqual(
    (await cellsOf()).map(([id, about, by, category, state, , comment]) => [id, about, by, category, state, comment]),
    [
      [second, 'target', 'reporter', 'other', 'unassigned', 'Again'],
      [first, 'target', 'reporter', 'other', 'unassigned', 'Look at this'],
    ],
  )
  assert.deepEqual(await cellsOf('--target', 'judge'), [])
  assert.equal((await cellsOf('--reporter', 'reporter')).length, 2)
  assert.equal(await linnet.error('reports', 'list', '--target', 'nobody'), 'No account is named nobody')
})

test('a report is assigned, resolved and reopened, and the audit log has each action', async () => {
  assert.equal(await linnet.error('reports', 'assign', first, 'target'), 'target may not manage reports')
  await linnet.lines('reports', 'assign', first, 'judge')
  assert.equal((await cellsOf())[1]![4], 'assigned to judge')
  await linnet.lines('reports', 'resolve', first)
  assert.deepEqual(
    (await cellsOf('--state', 'resolved')).map(([id]) => id),
    [first],
  )
  assert.deepEqual(
    (await cellsOf('--state', 'all')).map(([id]) => id),
    [second, first],
  )
  await linnet.lines('reports', 'reopen', first)
  await linnet.lines('reports', 'unassign', first)
  assert.equal((await cellsOf()).length, 2)
  const entries = await db
    .selectFrom('audit_log_entries')
    .select(['action', 'account_id', 'label'])
    .where('target_type', '=', 'report')
    .where('target_id', '=', first)
    .orderBy('id')
    .execute()
  assert.deepEqual(
    entries,
    ['assign', 'resolve', 'reopen', 'unassign'].map((action) => ({ action, account_id: null, label: 'target' })),
  )
})

test('reports show prints a report with its posts, or the entity of the admin API', async () => {
  await linnet.lines('reports', 'assign', second, 'judge')
  const shown = await linnet.json<AdminReport>('reports', 'show', second)
  assertEntity('AdminReport', shown)
  assert.deepEqual([shown.id, shown.assigned_account?.id], [second, moderator.accountId])
  const lines = await linnet.lines('reports', 'show', second)
  assert.ok(lines.some((line) => line.startsWith(`post`) && line.includes(status.id)))
  for (const [action, ...more] of [['show'], ['assign', 'judge'], ['resolve'], ['reopen'], ['unassign']] as const)
    assert.equal(await linnet.error('reports', action, '999', ...more), 'There is no report 999')
})
