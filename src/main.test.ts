// Slow: starts programs or databases.
import assert from 'node:assert/strict'
import { chmod, readFile, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { eventually, findPort, runLinnet, startLinnet } from '../test/servers/linnet-process.ts'
import type { LinnetProcess } from '../test/servers/linnet-process.ts'
import { runCommand } from '../test/run-command.ts'

/** The tests use one data folder and depend on their order. */
let dataDir: string
let env: Record<string, string>
let server: LinnetProcess

before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'linnet-main-'))
  // The permissions of an earlier version.
  await chmod(dataDir, 0o755)
  env = { DATA_DIR: dataDir, PORT: await findPort(), LOCAL_DOMAIN: 'birds.example', LOCAL_HTTPS: 'false' }
})

after(async () => {
  server?.kill('SIGKILL')
  await rm(dataDir, { recursive: true, force: true })
})

const request = (path: string, headers: Record<string, string> = {}) =>
  fetch(`http://127.0.0.1:${env['PORT']}${path}`, { headers })

test('all problems of the environment are reported together, one line each', async () => {
  const outcome = await runLinnet(['serve'], {
    PORT: 'many',
    BIND: 'here',
    LINNET_MOOD: 'good',
    LINNET_PORT: '3000',
    LINNET_TESTHOSTS: '',
    REGISTRATIONS_MODE: 'some',
  })
  assert.deepEqual(outcome, {
    code: 1,
    stdout: '',
    stderr: [
      'PORT must be a whole number from 0 to 65535, not "many"',
      'BIND must be an IP address, not "here"',
      'REGISTRATIONS_MODE must be one of open, approved, none, not "some"',
      'LINNET_MOOD is not a setting of Linnet',
      'LINNET_PORT is not a setting of Linnet (did you mean PORT?)',
      'LINNET_TESTHOSTS is not a setting of Linnet (did you mean LINNET_TEST_HOSTS?)',
      '',
    ].join('\n'),
  })
})

test('commands work before the first start and do not fix the domain', async () => {
  const words = ['accounts', 'create', 'wren', '--email', 'wren@mail.test', '--role', 'owner', '--confirmed']
  const made = await runLinnet(words, { DATA_DIR: dataDir })
  assert.equal(made.code, 0, made.stderr)
  const { code, stdout } = await runLinnet(['jobs'], { DATA_DIR: dataDir })
  assert.deepEqual([code, stdout.split('\n')[1]], [0, 'running  0'])
  await assert.rejects(stat(join(dataDir, 'postgres/cluster/postmaster.pid')), { code: 'ENOENT' })
})

test('the first start prints the address of the server and sets its domain for existing accounts', async () => {
  server = startLinnet(['serve'], env)
  const [output] = await server.waitForOutput(/Linnet [\d.]+ is ready after[^]*Address.*\n/)
  assert.match(output, /Address +http:\/\/birds\.example \(listening on http:\/\/127\.0\.0\.1:\d+\)/)
  assert.ok(output.includes(dataDir))
  assert.doesNotMatch(output, /setup/)
  assert.deepEqual(await (await request('/health')).json(), { status: 'UP' })
  const account = (await (await request('/api/v1/accounts/lookup?acct=wren')).json()) as { uri: string; url: string }
  assert.equal(account.url, 'http://birds.example/@wren')
  assert.match(account.uri, /^http:\/\/birds\.example\/ap\/users\/\d+$/)
})

test('other users cannot list the data folder or read its contents', async () => {
  for (const name of ['.', 'postgres', 'secrets.json']) {
    assert.equal((await stat(join(dataDir, name))).mode & 0o067, 0, name)
  }
})

test('a second server with the same data folder is rejected with the process id of the first one', async () => {
  const outcome = await runLinnet(['serve'], { ...env, PORT: await findPort() })
  assert.equal(outcome.code, 1)
  assert.match(
    outcome.stderr,
    new RegExp(`^The data folder .* is in use by process ${server.pid} \\("linnet serve"\\).*\\n$`),
  )
})

test('commands work while the server is running, and use its domain without LOCAL_DOMAIN', async () => {
  const { code, stdout, stderr } = await runLinnet(['doctor'], { DATA_DIR: dataDir, PORT: env['PORT']! })
  assert.match(stdout, /✔ handles end in @birds\.example\n/)
  assert.match(stdout, /! the URL is http:\/\/birds\.example, without HTTPS\n/)
  assert.match(stdout, /✔ a server is running on port \d+ of 127\.0\.0\.1\n/)
  assert.deepEqual([code, stderr], [0, ''])
  assert.equal((await runLinnet(['migrate'], { DATA_DIR: dataDir })).stdout, 'All migrations have run\n')
  const toFullDisk = ['sh', '-c', 'exec "$0" "$@" > /dev/full']
  const lost = await startLinnet(['migrate'], { DATA_DIR: dataDir }, { within: toFullDisk }).ended
  assert.deepEqual([lost.code, lost.stderr], [1, 'The disk is full: ENOSPC: no space left on device, write\n'])
})

test('a process with one role joins the running database and serves health checks only locally (F7)', async () => {
  const port = await findPort()
  const worker = startLinnet(['serve', '--only', 'worker'], { ...env, PORT: port, BIND: '0.0.0.0' })
  await worker.waitForOutput(/\(worker\) is ready[^]*Ctrl-C/)
  assert.equal((await fetch(`http://127.0.0.1:${port}/readyz`)).status, 200)
  assert.equal((await fetch(`http://127.0.0.1:${port}/api/v1/instance`)).status, 404)
  worker.kill('SIGTERM')
  const { code, stderr } = await worker.ended
  assert.equal(code, 0, stderr)
})

test('when the database is killed, the server reports it and recovers (F7)', async () => {
  const [pid] = (await readFile(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8')).split('\n')
  process.kill(Number(pid), 'SIGKILL')
  await eventually(async () => assert.equal((await request('/health')).status, 503))
  assert.equal((await request('/livez')).status, 200)
  await eventually(async () => assert.equal((await request('/health')).status, 200))
})

test('SIGUSR1 opens no debugger, and at SIGTERM the server stops with the database and exits with code 0', async () => {
  server.kill('SIGUSR1')
  assert.equal((await request('/livez')).status, 200)
  server.kill('SIGTERM')
  const { code, stdout, stderr } = await server.ended
  assert.equal(code, 0, stderr)
  assert.doesNotMatch(stderr, /inspector|debugger/i)
  assert.match(stdout, /\nStopping\n$/)
  await assert.rejects(stat(join(dataDir, 'postgres/cluster/postmaster.pid')), { code: 'ENOENT' })
})

test('a changed LOCAL_DOMAIN prevents a later start, and commands, with an explanation', async () => {
  for (const words of [['serve'], ['accounts', 'create', 'robin', '--email', 'robin@mail.test']]) {
    const { code, stdout, stderr } = await runLinnet(words, { ...env, LOCAL_DOMAIN: 'fish.example' })
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(
      stderr,
      /^LOCAL_DOMAIN is fish\.example, .*@name@birds\.example.* would break: set LOCAL_DOMAIN=birds\.example.*\n$/,
    )
  }
})

test('a port in use is reported in one line', async () => {
  const busy = startLinnet(['serve'], env)
  try {
    await busy.waitForOutput(/is ready/)
    const { code, stderr } = await runLinnet(['serve', '--only', 'web'], env)
    assert.deepEqual(
      [code, stderr],
      [1, `Another program listens on port ${env['PORT']} of 127.0.0.1; stop it or change PORT\n`],
    )
  } finally {
    busy.kill('SIGINT')
  }
  assert.equal((await busy.ended).code, 0)
})

test('a first start that fails does not fix the domain', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'linnet-first-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const busy = createServer().listen(Number(env['PORT']), '127.0.0.1')
  const first = await runLinnet(['serve'], { DATA_DIR: folder, PORT: env['PORT']! })
  busy.close()
  assert.match(first.stderr, /change PORT\n$/)
  const second = startLinnet(['serve'], { DATA_DIR: folder, PORT: await findPort() })
  await second.waitForOutput(/is ready/)
  second.kill('SIGINT')
  assert.equal((await second.ended).code, 0)
})

test('an impossible data folder is rejected immediately with its path and the reason', async (t) => {
  const folder = await mkdtemp(join(tmpdir(), 'linnet-folders-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  const file = join(folder, 'file')
  await writeFile(file, '')
  const impossible: [dataDir: string, reason: RegExp][] = [
    [file, /it is a file, not a folder/],
    [join(file, 'data'), /a part of this path is a file/],
    [join(folder, 'x'.repeat(300)), /the path is too long/],
  ]
  if (process.platform === 'linux') impossible.push(['/proc/linnet/data', /nothing can be created there/])
  for (const [dataDir, reason] of impossible) {
    for (const words of [['serve'], ['accounts', 'create', 'wren', '--email', 'wren@mail.test']]) {
      const { code, stdout, stderr } = await runCommand(words, { DATA_DIR: dataDir })
      assert.deepEqual([code, stdout], [1, ''], dataDir)
      assert.match(
        stderr,
        /^The data folder \S+ can't be used: .*\. Set DATA_DIR to a folder that this user can write\n$/,
      )
      assert.ok(stderr.includes(dataDir))
      assert.match(stderr, reason)
    }
  }
})
