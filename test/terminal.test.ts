// Slow: starts servers in terminals.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { stripVTControlCharacters } from 'node:util'
import { eventually, findPort } from './servers/linnet-process.ts'

/** The character that the key sends; it ends the foreground process. */
const CTRL_C = '\u0003'

/** The program `script` of util-linux runs a command in a terminal. */
const skip = spawnSync('script', ['--version']).status !== 0 && 'the program script of util-linux is not installed'

interface Terminal {
  /** Waits until the output matches. */
  waitFor(pattern: RegExp): Promise<void>
  type(keys: string): void
  /** Closes the terminal, like closing its window. */
  close(): void
  /** Resolves when the command has ended, with its exit code and its output without colours. */
  readonly ended: Promise<{ code: number | null; text: string }>
}

let dataDir: string
let env: Record<string, string>

before(async () => {
  dataDir = await mkdtemp(join(tmpdir(), 'linnet-terminal-'))
  const { PATH = '', HOME = '', NODE_COMPILE_CACHE = '' } = process.env
  env = {
    PATH,
    HOME,
    NODE_COMPILE_CACHE,
    DATA_DIR: dataDir,
    PORT: await findPort(),
    TERM: 'xterm',
    npm_config_progress: 'false',
  }
})
after(() => rm(dataDir, { recursive: true, force: true }))

/** Runs a command of this project in a terminal. */
function openTerminal(command: string, more: Record<string, string> = {}): Terminal {
  const child = spawn('script', ['-qec', command, '/dev/null'], {
    cwd: join(import.meta.dirname, '..'),
    env: { ...env, ...more },
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  let screen = ''
  child.stdout.on('data', (chunk: Buffer) => (screen += chunk.toString()))
  const read = () => stripVTControlCharacters(screen).replaceAll('\r', '')
  return {
    ended: once(child, 'close').then(([code]) => ({ code: code as number | null, text: read() })),
    type: (keys) => void child.stdin.write(keys),
    close: () => void child.kill('SIGKILL'),
    waitFor: (pattern) => eventually(async () => assert.match(read(), pattern)),
  }
}

interface Processes {
  server: number
  database: number
  parent: number
}

async function findProcesses(): Promise<Processes> {
  const { pid: server } = JSON.parse(await readFile(join(dataDir, 'postgres/owner.json'), 'utf8')) as { pid: number }
  const [database] = (await readFile(join(dataDir, 'postgres/cluster/postmaster.pid'), 'utf8')).split('\n')
  const status = await readFile(`/proc/${server}/status`, 'utf8')
  return { server, database: Number(database), parent: Number(/^PPid:\s*(\d+)/m.exec(status)?.[1]) }
}

/** Waits until server and database have ended, and checks that the database was shut down cleanly. */
async function waitForEnd({ server, database }: Processes): Promise<void> {
  for (const pid of [server, database]) {
    await eventually(async () => assert.throws(() => process.kill(pid, 0), { code: 'ESRCH' }))
  }
  await assert.rejects(stat(join(dataDir, 'postgres/cluster/postmaster.pid')), { code: 'ENOENT' })
  const log = await readFile(join(dataDir, 'postgres/server.log'), 'utf8')
  assert.match(log.trimEnd().split('\n').at(-1)!, /database system is shut down$/)
}

test(
  'npm start in a terminal prints short lines, the address and the owner’s link, and stops at Ctrl-C',
  { skip },
  async () => {
    const terminal = openTerminal('exec npm start')
    await terminal.waitFor(/setup\?token=/)
    const processes = await findProcesses()
    // When the server responds to this request, its first jobs have finished.
    assert.equal((await fetch(`http://127.0.0.1:${env['PORT']}/health`)).status, 200)
    terminal.type(CTRL_C)
    const { code, text } = await terminal.ended
    await waitForEnd(processes)
    assert.equal(code, 0, text)
    assert.match(
      text,
      /^\d\d:\d\d:\d\d Creating the database .*\n\d\d:\d\d:\d\d Creating the tables\n\d\d:\d\d:\d\d Listening on http:\/\/127\.0\.0\.1:\d+\n\nLinnet /m,
    )
    const [, address, , link, after = ''] =
      /\n {2}Address +(.*)\n\n {2}(.*owner.*)\n {2}(http\S+)\n([^]*)$/.exec(text) ?? []
    assert.equal(address, `http://localhost:${env['PORT']}`)
    assert.match(link!, /^http:\/\/localhost:\d+\/setup\?token=[\w-]+$/)
    assert.match(after, /^\s*(\^C)?\d\d:\d\d:\d\d Stopping\s*\S*\s*$/)
    assert.doesNotMatch(text, /[{}]|effect|^ +at /m)
  },
)

test('a second Ctrl-C stops the server and its database at once, without a stack trace', { skip }, async () => {
  const terminal = openTerminal('exec npm start')
  await terminal.waitFor(/Address/)
  const processes = await findProcesses()
  // An incomplete request prevents the server from stopping at the first Ctrl-C.
  const socket = connect(Number(env['PORT']), '127.0.0.1')
  socket.on('error', () => undefined)
  socket.write('POST /oauth/token HTTP/1.1\r\nHost: localhost\r\nContent-Length: 5\r\n\r\n')
  await fetch(`http://127.0.0.1:${env['PORT']}/livez`)
  terminal.type(CTRL_C)
  await terminal.waitFor(/Stopping$/m)
  const pressing = setInterval(() => terminal.type(CTRL_C), 600)
  await waitForEnd(processes)
  clearInterval(pressing)
  socket.destroy()
  const { text } = await terminal.ended
  assert.match(text, /Stopping at once/)
  assert.doesNotMatch(text, /^ +at |error|warning/m)
})

test('a closed terminal stops the server and its database', { skip }, async () => {
  const terminal = openTerminal('exec npm start')
  await terminal.waitFor(/Address/)
  const processes = await findProcesses()
  terminal.close()
  await waitForEnd(processes)
})

test('Ctrl-C ends a command and the database that it has started', { skip }, async () => {
  // A large file without content, which takes time to copy.
  await mkdir(join(dataDir, 'media'), { recursive: true })
  await writeFile(join(dataDir, 'media/large'), '')
  await truncate(join(dataDir, 'media/large'), 2 ** 29)
  const backup = `${dataDir}-backup`
  after(() => rm(backup, { recursive: true, force: true }))
  const terminal = openTerminal(`exec bin/linnet backup ${backup}`)
  await terminal.waitFor(/Copying the files/)
  const processes = await findProcesses()
  terminal.type(CTRL_C)
  await waitForEnd(processes)
  assert.equal((await terminal.ended).code, 130)
  await rm(join(dataDir, 'media/large'))
})

for (const signal of ['SIGTERM', 'SIGHUP', 'SIGKILL'] as const) {
  test(
    `${signal} to npm stops the server and its database`,
    { skip: process.platform !== 'linux' && 'the test reads /proc' },
    async () => {
      const npm = spawn('npm', ['start'], {
        cwd: join(import.meta.dirname, '..'),
        env,
        stdio: ['ignore', 'ignore', 'pipe'],
      })
      let errors = ''
      npm.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()))
      await eventually(async () =>
        assert.equal((await fetch(`http://127.0.0.1:${env['PORT']}/health`).catch(() => null))?.status, 200),
      )
      const processes = await findProcesses()
      assert.equal(processes.parent, npm.pid, 'npm is the parent of the server, without a shell')
      npm.kill(signal)
      await waitForEnd(processes)
      assert.doesNotMatch(errors, /^ +at /m)
    },
  )
}
