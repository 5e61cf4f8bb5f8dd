import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { sql } from 'kysely'
import pg from 'pg'
import { cloneDatabase, serverConnection } from '../../../test/services/database/test-database.ts'
import { openTestServer } from '../../../test/servers/test-server.ts'

// A database of its own: its sessions end while they are in use.
const testServer = await openTestServer({ effects: false, database: await cloneDatabase() })
after(testServer.close)

const statusOf = async (path: string) => (await testServer.anonymous.get(path)).status

/** Refuses all connections to the database while `check` runs. */
async function whileDatabaseRefuses(check: () => Promise<void>): Promise<void> {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(testServer.ctx.db)
  const name = rows[0]?.name ?? ''
  const admin = new pg.Client({ ...(await serverConnection()), database: 'template1' })
  await admin.connect()
  try {
    await admin.query(`alter database ${name} allow_connections false`)
    await admin.query('select pg_terminate_backend(pid) from pg_stat_activity where datname = $1', [name])
    await check()
  } finally {
    await admin.query(`alter database ${name} allow_connections true`)
    await admin.end()
  }
}

test('while the database is unreachable /health returns 503 and /livez 200; afterwards both succeed (F7)', async () => {
  assert.deepEqual((await testServer.anonymous.get('/health')).body, { status: 'UP' })
  await whileDatabaseRefuses(async () => {
    const health = await testServer.anonymous.get('/health')
    assert.deepEqual([health.status, health.body], [503, { status: 'DOWN' }])
    assert.equal(await statusOf('/readyz'), 503)
    for (const path of ['/health', '/readyz', '/api/v1/timelines/public']) {
      assert.equal((await testServer.anonymous.get(path)).headers['retry-after'], '5', path)
    }
    assert.equal(await statusOf('/livez'), 200)
    assert.equal(await statusOf('/api/v1/timelines/public'), 503)
    const metrics = await testServer.anonymous.get<string>('/metrics')
    assert.match(metrics.body, /nodejs_eventloop_lag_seconds/)
    assert.doesNotMatch(metrics.body, /linnet_jobs\{/)
  })
  assert.equal(await statusOf('/health'), 200)
  assert.equal(await statusOf('/readyz'), 200)
})

test('health checks are never cached', async () => {
  assert.equal((await testServer.anonymous.get('/health')).headers['cache-control'], 'private, no-store')
})

test('the metrics contain requests by route, jobs by state, and connections to the database', async () => {
  await testServer.anonymous.get('/api/v1/statuses/1?access_token=geheim')
  const { headers, body } = await testServer.anonymous.get<string>('/metrics')
  assert.match(String(headers['content-type']), /^text\/plain; version=0\.0\.4/)
  const line = 'http_request_duration_seconds_count{method="GET",route="/api/v1/statuses/:id",status="4xx"} 1'
  assert.ok(body.includes(`${line}\n`), body)
  assert.match(body, /\nlinnet_jobs\{state="waiting"\} \d+\nlinnet_jobs\{state="running"\} 0\n/)
  assert.match(body, /\nlinnet_db_pool_connections\{state="idle"\} \d+\n/)
  assert.ok(!body.includes('geheim'))
})

test('only loopback addresses may read the metrics, and never through a proxy', async () => {
  const metrics = async (remoteAddress: string, headers = {}) =>
    (await testServer.anonymous.send({ url: '/metrics', remoteAddress, headers })).status
  for (const address of ['127.0.0.1', '127.8.8.8', '::1', '::ffff:127.0.0.1']) assert.equal(await metrics(address), 200)
  for (const address of ['203.0.113.5', '10.0.0.1', '2001:db8::1', '::ffff:10.0.0.1']) {
    assert.equal(await metrics(address), 404)
  }
  for (const name of ['x-forwarded-for', 'forwarded', 'x-real-ip', 'via', 'x-forwarded-host', 'x-forwarded-proto']) {
    assert.equal(await metrics('127.0.0.1', { [name]: '127.0.0.1' }), 404, name)
  }
  const unknown = await testServer.anonymous.get('/metrics/unknown')
  const hidden = await testServer.anonymous.send({ url: '/metrics', remoteAddress: '203.0.113.5' })
  assert.deepEqual(hidden.body, unknown.body)
})

test('METRICS_ALLOWED_IP sets which addresses may read the metrics', async (t) => {
  const other = await openTestServer({ effects: false, env: { METRICS_ALLOWED_IP: '10.1.0.0/16, 2001:db8::7' } })
  t.after(other.close)
  const metrics = async (remoteAddress: string) =>
    (await other.anonymous.send({ url: '/metrics', remoteAddress })).status
  assert.deepEqual([await metrics('10.1.2.3'), await metrics('2001:db8::7')], [200, 200])
  assert.deepEqual(
    [await metrics('10.2.0.1'), await metrics('2001:db8::8'), await metrics('127.0.0.1')],
    [404, 404, 404],
  )
})
