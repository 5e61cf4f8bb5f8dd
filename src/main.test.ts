// Slow: starts programs or databases of its own.
import assert from 'node:assert/strict'
import { chmod, readFile, mkdtemp, rm, stat, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { eventually, findPort, runLinnet, startLinnet } from '../test/linnet.ts'
import type { LinnetProcess } from '../test/linnet.ts'
import { runCommand } from '../test/run-command.ts'

/** One life of a server in one data folder, told in order. */
let dataDir: string
let env: Record<string, string>
let server: LinnetProcess

before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'linnet-main-'))
  // As an earlier version left it.
  await chmod(dataDir, 0o755)
  env = { DATA_DIR: dataDir, PORT: await findPort(), LOCAL_DOMAIN: 'birds.example', LOCAL_HTTPS: 'false' }
})

after(async () => {
  server?.kill('SIGKILL')
  await rm(dataDir, { recursive: true, force: true })
})

const ask = (path: string, headers: Record<string, string> = {}) =>
  fetch(`http://127.0.0.1:${env['PORT']}${path}`, { headers })

test('every mistake of the environment is told at once, one line each', async () => {
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
      'LINNET_MOOD is not a name that Linnet knows',
      'LINNET_PORT is not a name that Linnet knows (did you mean PORT?)',
      'LINNET_TESTHOSTS is not a name that Linnet knows (did you mean LINNET_TEST_HOSTS?)',
      '',
    ].join('\n'),
  })
})

test('commands work before the first start, and leave the domain open', async () => {
  const words = ['accounts', 'create', 'wren', '--email', 'wren@mail.test', '--role', 'owner', '--confirmed']
  const made = await runLinnet(words, { DATA_DIR: dataDir })
  assert.equal(made.code, 0, made.stderr)
  const { code, stdout } = await runLinnet(['jobs'], { DATA_DIR: dataDir })
  assert.deepEqual([code, stdout.split('\n')[1]], [0, 'running  0'])
  await assert.rejects(stat(join(dataDir, 'postgres/cluster/postmaster.pid')), { code: 'ENOENT' })
})

test('the first start says where the server is, and gives its domain to the accounts from before', async () => {
  server = startLinnet(['serve'], env)
  const [said] = await server.says(/Linnet [\d.]+ is ready after[^]*Address.*\n/)
  assert.match(said, /Address +http:\/\/birds\.example \(listening on http:\/\/127\.0\.0\.1:\d+\)/)
  assert.ok(said.includes(dataDir))
  assert.doesNotMatch(said, /setup/)
  assert.deepEqual(await (await ask('/health')).json(), { status: 'UP' })
  const account = (await (await ask('/api/v1/accounts/lookup?acct=wren')).json()) as { uri: string; url: string }
  assert.equal(account.url, 'http://birds.example/@wren')
  assert.match(account.uri, /^http:\/\/birds\.example\/ap\/users\/\d+$/)
})

test('other users can neither list the data folder nor read what lies in it', async () => {
  for (const name of ['.', 'postgres', 'secrets.json']) {
    assert.equal((await stat(join(dataDir, name))).mode & 0o067, 0, name)
  }
})

test('a second server on the same data folder is refused, and told who has it', async () => {
  const outcome = await runLinnet(['serve'], { ...env, PORT: await findPort() })
  assert.equal(outcome.code, 1)
  assert.match(
    outcome.stderr,
    new RegExp(`^The data folder .* is in use by process ${server.pid} \\("linnet serve"\\).*\\n$`),
  )
})

test('commands work beside the server, under its domain though they are not told it', async () => {
  const { code, stdout, stderr } = await runLinnet(['doctor'], { DATA_DIR: dataDir, PORT: env['PORT']! })
  assert.match(stdout, /✔ handles end in @birds\.example\n/)
  assert.match(stdout, /! the URL is http:\/\/birds\.example, without HTTPS\n/)
  assert.match(stdout, /✔ a server is running on port \d+ of 127\.0\.0\.1\n/)
  assert.deepEqual([code, stderr], [0, ''])
  assert.equal((await runLinnet(['migrate'], { DATA_DIR: dataDir })).stdout, 'All migrations have run\n')
})

test('one part of a server joins the running database, and has its health on this machine only (F7)', async () => {
  const port = await findPort()
  const worker = startLinnet(['serve', '--only', 'worker'], { ...env, PORT: port, BIND: '0.0.0.0' })
  await worker.says(/\(worker\) is ready[^]*Ctrl-C/)
  assert.equal((await fetch(`http://127.0.0.1:${port}/readyz`)).status, 200)
  assert.equal((await fetch(`http://127.0.0.1:${port}/api/v1/instance`)).status, 404)
  worker.kill('SIGTERM')
  const { code, stderr } = await worker.ended
  assert.equal(code, 0, stderr)
})

test('when the database is killed, the server says so and is well again by itself (F7)', async () => {
  const [pid] = (await readFile(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8')).split('\n')
  process.kill(Number(pid), 'SIGKILL')
  await eventually(async () => assert.equal((await ask('/health')).status, 503))
  assert.equal((await ask('/livez')).status, 200)
  await eventually(async () => assert.equal((await ask('/health')).status, 200))
})

test('at SIGTERM the server ends by itself, with the database, and is a success', async () => {
  server.kill('SIGTERM')
  const { code, stdout, stderr } = await server.ended
  assert.equal(code, 0, stderr)
  assert.match(stdout, /\nStopping\n$/)
  await assert.rejects(stat(join(dataDir, 'postgres/cluster/postmaster.pid')), { code: 'ENOENT' })
})

test('another LOCAL_DOMAIN stops a later start, and it is said what it would break', async () => {
  const { code, stderr } = await runLinnet(['serve'], { ...env, LOCAL_DOMAIN: 'fish.example' })
  assert.equal(code, 1)
  assert.match(
    stderr,
    /^LOCAL_DOMAIN is fish\.example, .*@name@birds\.example.* would break: set LOCAL_DOMAIN=birds\.example.*\n$/,
  )
})

test('a port that is taken is told in one line', async () => {
  const busy = startLinnet(['serve'], env)
  try {
    await busy.says(/is ready/)
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

test('a data folder that can not be is refused at once, with its path and the reason', async (t) => {
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
