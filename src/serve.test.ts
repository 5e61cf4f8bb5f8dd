// Slow: starts programs or databases.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { mkdtemp, readdir, rm } from 'node:fs/promises'
import { connect } from 'node:net'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { sql } from 'kysely'
import { SMTPServer } from 'smtp-server'
import { eventually, findPort, startLinnet, urlOf } from '../test/servers/linnet-process.ts'
import { cloneDatabase } from '../test/services/database/test-database.ts'
import { createDb, createPool } from './platform/db/connection.ts'
import { enqueueJobs } from './platform/jobs/job-queue.ts'
import { addBuilder } from '../test/query-builder.ts'

const database = await cloneDatabase()
const pool = createPool(database.connection, { max: 1, onError: () => {} })
const db = addBuilder(createDb(pool))
let env: Record<string, string>

before(async () => {
  env = {
    DATA_DIR: await mkdtemp(join(tmpdir(), 'linnet-serve-')),
    DATABASE_URL: urlOf(database.connection),
    LOCAL_DOMAIN: 'birds.example',
    PORT: await findPort(),
  }
})

after(async () => {
  await pool.end()
  await database.drop()
  await rm(env['DATA_DIR']!, { recursive: true, force: true })
})

const request = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${env['PORT']}${path}`, init)

test('at SIGTERM the running job is finished and all others return to the queue', async (t) => {
  const delayedResponse = Promise.withResolvers<() => void>()
  const mail = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, _session, done) {
      stream.resume()
      stream.on('end', () => delayedResponse.resolve(done))
    },
  })
  t.after(() => mail.server.close())
  mail.listen(0, '127.0.0.1')
  await once(mail.server, 'listening')
  const { rows } = await sql<{ id: string }>`
    insert into mails (key, recipient, subject, text, html)
    select 'test ' || n, 'wren@birds.example', 'Hello', 'Hello', '' from generate_series(1, 20) n returning id`.execute(
    db,
  )
  const jobs = rows.map(({ id }) => ({
    name: 'sendMail',
    payload: { mailId: id },
    maxAttempts: 20,
    queue: 'network' as const,
  }))
  await enqueueJobs(db, jobs)

  const { port } = mail.server.address() as AddressInfo
  const worker = startLinnet(['serve', '--only', 'worker'], {
    ...env,
    WORKER_CONCURRENCY: '1',
    NETWORK_CONCURRENCY: '1',
    SMTP_SERVER: '127.0.0.1',
    SMTP_PORT: String(port),
  })
  const respond = await delayedResponse.promise
  worker.kill('SIGTERM')
  await worker.waitForOutput(/Stopping\n/)
  respond()
  const { code, stderr } = await worker.ended
  assert.equal(code, 0, stderr)
  const sent = await sql<{ count: number }>`select count(*)::int as count from mails where sent_at is not null`.execute(
    db,
  )
  assert.equal(sent.rows[0]?.count, 1)
  const left = await sql<{ attempts: number; locked_by: string | null; count: number }>`
    select j.attempts, j.locked_by, count(*)::int as count
    from jobs j
    where j.name = 'sendMail' group by 1, 2`.execute(db)
  assert.deepEqual(left.rows, [{ attempts: 0, locked_by: null, count: 19 }], stderr)
})

test('while the server has no owner, each start prints the same link to the page that creates the owner', async () => {
  const links: string[] = []
  for (let start = 0; start < 2; start += 1) {
    const server = startLinnet(['serve'], env)
    const [, path = ''] = await server.waitForOutput(/\n {2}https:\/\/birds\.example(\/setup\?token=[\w-]{40,})\n/)
    links.push(path)
    assert.equal((await request(path)).status, 200)
    server.kill('SIGTERM')
    assert.equal((await server.ended).code, 0)
  }
  assert.equal(links[0], links[1])
})

test('at SIGINT a running request is completed, and new connections are refused', async () => {
  const server = startLinnet(['serve', '--only', 'web'], env)
  await server.waitForOutput(/\(web\) is ready/)
  const socket = connect(Number(env['PORT']), '127.0.0.1')
  const body = 'grant_type=nothing'
  socket.write(
    `POST /oauth/token HTTP/1.1\r\nHost: birds.example\r\nContent-Length: ${body.length}\r\n` +
      'Content-Type: application/x-www-form-urlencoded\r\nConnection: close\r\n\r\n',
  )
  // The server has read the headers of the request when it has responded to a later request.
  assert.equal((await request('/livez')).status, 200)
  server.kill('SIGINT')
  await server.waitForOutput(/Stopping\n/)
  const openConnection = async () => {
    // The server resets a connection that it has accepted just before.
    const other = connect(Number(env['PORT']), '127.0.0.1').on('error', () => undefined)
    await once(other, 'connect')
  }
  await eventually(() => assert.rejects(openConnection, { code: 'ECONNREFUSED' }))
  socket.write(body)
  let answer = ''
  socket.on('data', (chunk: Buffer) => (answer += chunk.toString()))
  await once(socket, 'close')
  assert.match(answer, /^HTTP\/1\.1 400 [^]*"error":/)
  const { code, stderr } = await server.ended
  assert.equal(code, 0, stderr)
})

test('after SIGTERM the server is not ready, but serves requests and runs jobs until another signal', async () => {
  const server = startLinnet(['serve'], { ...env, SHUTDOWN_DELAY: '600' })
  await server.waitForOutput(/ is ready/)
  assert.equal((await request('/readyz')).status, 200)
  server.kill('SIGTERM')
  await server.waitForOutput(/\nStopping in 600 s\n/)
  const [ready, live, health] = await Promise.all(['/readyz', '/livez', '/health'].map((path) => request(path)))
  assert.deepEqual([ready!.status, live!.status, health!.status], [503, 200, 200])
  assert.deepEqual(await ready!.json(), { status: 'NOT READY' })
  // A client that holds its connection moves to another server with the next request.
  assert.equal(live!.headers.get('connection'), 'close')
  await enqueueJobs(db, [{ name: 'sendMail', payload: { mailId: '1' }, maxAttempts: 20, queue: 'network' }])
  await eventually(async () => {
    const { rows } = await sql`select from jobs where name = 'sendMail'`.execute(db)
    assert.equal(rows.length, 0)
  })
  assert.equal((await request('/livez')).status, 200)
  const pressing = setInterval(() => server.kill('SIGTERM'), 100)
  await server.waitForOutput(/\nStopping\n/)
  clearInterval(pressing)
  const { code, stdout } = await server.ended
  assert.equal(code, 0)
  assert.match(stdout, /\nStopping in 600 s\nStopping\n$/)
})

test('the server stops SHUTDOWN_DELAY after SIGTERM', async () => {
  const server = startLinnet(['serve', '--only', 'web'], { ...env, SHUTDOWN_DELAY: '1' })
  await server.waitForOutput(/\(web\) is ready/)
  server.kill('SIGTERM')
  const { code, stdout } = await server.ended
  assert.equal(code, 0)
  assert.match(stdout, /\nStopping in 1 s\nStopping\n$/)
  await assert.rejects(request('/livez'))
})

test('SHUTDOWN_DELAY delays neither Ctrl-C, nor the end of a terminal, nor a worker', async () => {
  for (const [role, signal] of [
    ['web', 'SIGINT'],
    ['streaming', 'SIGHUP'],
    ['worker', 'SIGTERM'],
  ] as const) {
    const server = startLinnet(['serve', '--only', role], { ...env, SHUTDOWN_DELAY: '600' })
    await server.waitForOutput(/ is ready/)
    server.kill(signal)
    const { code, stdout } = await server.ended
    assert.equal(code, 0)
    assert.match(stdout, /\nStopping\n$/)
    assert.doesNotMatch(stdout, /600 s/)
  }
})

test('a second Ctrl-C stops at once, without a stack trace; a signal that npm forwards does not count', async () => {
  const server = startLinnet(['serve', '--only', 'web'], env)
  await server.waitForOutput(/\(web\) is ready/)
  const socket = connect(Number(env['PORT']), '127.0.0.1')
  socket.write('POST /oauth/token HTTP/1.1\r\nHost: birds.example\r\nContent-Length: 5\r\n\r\n')
  assert.equal((await request('/livez')).status, 200)
  server.kill('SIGINT')
  server.kill('SIGINT')
  await server.waitForOutput(/Stopping\n/)
  const start = performance.now()
  const pressing = setInterval(() => server.kill('SIGINT'), 20)
  await server.waitForOutput(/Stopping at once/)
  clearInterval(pressing)
  assert.ok(performance.now() - start > 200, 'the first two signals are one request')
  const { code, stdout, stderr } = await server.ended
  assert.equal(code, 1)
  assert.match(stdout, /\nStopping\nStopping at once; .*\n$/)
  assert.doesNotMatch(stdout + stderr, /^ +at |"stack"/m)
  socket.destroy()
})

test('SIGHUP stops the server, also if its output pipe is closed', async () => {
  const server = startLinnet(['serve', '--only', 'web'], { ...env, LOG_FORMAT: 'text' })
  await server.waitForOutput(/\(web\) is ready/)
  server.closeOutput()
  server.kill('SIGHUP')
  const { code, stderr } = await server.ended
  assert.equal(code, 0)
  assert.match(stderr, /^\d\d:\d\d:\d\d Listening on \S+\n$/)
})

test('a process with the role streaming serves no other routes', async () => {
  const server = startLinnet(['serve', '--only', 'streaming'], env)
  await server.waitForOutput(/\(streaming\) is ready/)
  const statuses = await Promise.all(
    ['/api/v1/streaming/health', '/health', '/readyz', '/api/v1/instance', '/', '/api/docs'].map(
      async (path) => (await request(path)).status,
    ),
  )
  assert.deepEqual(statuses, [200, 200, 200, 404, 404, 404])
  // Browsers send it before a script of another site opens a stream with its token in a header.
  const preflight = {
    method: 'OPTIONS',
    headers: { origin: 'https://app.test', 'access-control-request-method': 'GET' },
  }
  const { status, headers } = await request('/api/v1/streaming/user', preflight)
  assert.deepEqual([status, headers.get('access-control-allow-origin')], [204, '*'])
  assert.equal((await request('/api/v1/instance', preflight)).status, 404)
  server.kill('SIGTERM')
  assert.equal((await server.ended).code, 0)
})

test('an invalid certificate prevents the start with one line', async () => {
  const notes = new URL('serve.ts', import.meta.url).pathname
  const { code, stderr } = await startLinnet(['serve'], { ...env, TLS_CERT_FILE: notes, TLS_KEY_FILE: notes }).ended
  assert.equal(code, 1)
  assert.match(stderr, /^TLS_CERT_FILE and TLS_KEY_FILE are not usable: .*\n$/)
})

test('without the secrets with which data were encrypted, neither the server nor commands start, or create new ones', async (t) => {
  const dataDir = await mkdtemp(join(tmpdir(), 'linnet-serve-'))
  t.after(() => rm(dataDir, { recursive: true }))
  await sql`insert into actor_keys (key_id, owner_uri, public_key_pem, private_key) values ('a', 'b', '', '\\x01')`.execute(
    db,
  )
  const path = join(dataDir, 'secrets.json')
  for (const args of [['serve'], ['serve', '--only', 'worker'], ['accounts', 'list']]) {
    const { code, stderr } = await startLinnet(args, { ...env, DATA_DIR: dataDir }).ended
    assert.deepEqual(
      [code, stderr],
      [
        1,
        `${path} is missing, but the database contains data that were encrypted with it: restore it from a backup, or set DATA_DIR to the folder that contains it; if it is lost, run bin/linnet secrets reset\n`,
      ],
    )
    assert.deepEqual(await readdir(dataDir), [])
  }
  await sql`delete from actor_keys where key_id = 'a'`.execute(db)
})

test('an uncaught exception is logged and ends the process with exit code 1', async () => {
  const trigger = 'process.on("SIGUSR2",()=>Promise.reject(new Error("a nest fell down")))'
  const server = startLinnet(['serve', '--only', 'web'], {
    ...env,
    NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(trigger)}`,
  })
  await server.waitForOutput(/\(web\) is ready/)
  server.kill('SIGUSR2')
  const { code, stderr } = await server.ended
  assert.equal(code, 1)
  assert.match(stderr, /"message":"a nest fell down".*"msg":"Uncaught exception"/)
})
