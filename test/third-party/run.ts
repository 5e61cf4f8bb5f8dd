import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCa } from '../services/certificates.ts'
import { startServer } from '../end-to-end/server.ts'
import type { Server } from '../end-to-end/server.ts'
import { withoutChromium } from '../services/browser.ts'

/**
 * Runs Debian's packages of two clients, Mastodon.py and toot, against `bin/linnet serve` with an embedded database.
 * Both require https, so the server has a certificate of an authority that only they trust.
 */
const PYTHON = '/usr/bin/python3'
const REQUIRED = ['/usr/bin/toot', '/usr/lib/python3/dist-packages/mastodon']
const PROGRAMS = ['mastodon_test.py', 'toot_test.py']
const PASSWORD = 'correct horse battery'
const TIMEOUT_SECONDS = 300

/** The users in both programs. */
const USERS = ['mara', 'nils', 'lena', 'tess', 'tobi']

const missing = REQUIRED.filter((path) => !existsSync(path))
if (withoutChromium) missing.push('Chromium')
if (missing.length > 0) {
  console.error(
    `Missing: ${missing.join(', ')} (Debian: apt-get install --no-install-recommends toot python3-mastodon chromium-headless-shell)`,
  )
  process.exit(1)
}

const folder = await mkdtemp(join(tmpdir(), 'linnet-clients-'))
let server: Server | undefined
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void close().finally(() => process.exit(1)))
try {
  const [caFile, certFile, keyFile] = ['ca.pem', 'cert.pem', 'key.pem'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ]
  const ca = createCa()
  const { cert, key } = ca.issue(['localhost'])
  await Promise.all([writeFile(caFile, ca.pem), writeFile(certFile, cert), writeFile(keyFile, key, { mode: 0o600 })])
  const dataDir = join(folder, 'data')
  await mkdir(dataDir, { mode: 0o700 })
  server = await startServer({
    dataDir,
    env: { TLS_CERT_FILE: certFile, TLS_KEY_FILE: keyFile, REGISTRATIONS_MODE: 'open', DATABASE_URL: '' },
  })
  await createUsers(server)
  const { address } = server
  const passed = await Promise.all(PROGRAMS.map((program) => run(program, { address, caFile })))
  process.exitCode = passed.every(Boolean) ? 0 : 1
} finally {
  await close()
}

async function close(): Promise<void> {
  await server?.stop()
  await rm(folder, { recursive: true, force: true })
}

async function createUsers({ run: command }: Server): Promise<void> {
  const create = (name: string) =>
    command('accounts', 'create', name, '--email', emailOf(name), '--password', PASSWORD, '--confirmed', '--approved')
  await Promise.all([
    ...USERS.map(create),
    command('settings', 'rules', 'add', 'Be kind'),
    command('announcements', 'publish', 'The harbour opens at noon'),
  ])
}

function emailOf(name: string): string {
  return `${name}@mail.example`
}

/** Runs one program, prints its output, and returns whether it passed. */
async function run(program: string, { address, caFile }: { address: string; caFile: string }): Promise<boolean> {
  const work = await mkdtemp(join(folder, 'client-'))
  const env = {
    PATH: process.env['PATH'],
    HOME: work,
    XDG_CONFIG_HOME: join(work, 'config'),
    LANG: 'C.UTF-8',
    TERM: 'xterm-256color',
    PYTHONDONTWRITEBYTECODE: '1',
    REQUESTS_CA_BUNDLE: caFile,
    LINNET_URL: address,
    SIGN_IN_PASSWORD: PASSWORD,
    // Python replaces `%s` with the URL: https://docs.python.org/3/library/webbrowser.html
    BROWSER: `${process.execPath} ${join(import.meta.dirname, 'sign-in.ts')} %s`,
  }
  const options = { env, cwd: work, timeout: TIMEOUT_SECONDS * 1000, maxBuffer: 64 * 1024 * 1024 }
  const start = performance.now()
  return new Promise((resolve) => {
    execFile(PYTHON, [join(import.meta.dirname, program), '-v'], options, (err, stdout, stderr) => {
      const seconds = ((performance.now() - start) / 1000).toFixed(0)
      console.log(`\n── ${program}: ${err ? 'FAILED' : 'passed'} in ${seconds} s\n${stdout}${stderr}`)
      resolve(err === null)
    })
  })
}
