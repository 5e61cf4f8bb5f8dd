import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { CommandError } from '../../src/cli/command-error.ts'
import { cpuOf, memoryOf } from '../measure/process-stats.ts'
import { waitFor } from '../setup/wait-for.ts'
import type { ComparedServer, ComparedUser } from './compared-server.ts'
import type { RemoteAuthors } from './remote-authors.ts'
import { signIn } from './sign-in.ts'

const run = promisify(execFile)

/** Long and varied enough for GoToSocial's check of passwords. */
const PASSWORD = 'Fog-over-the-harbour-4711'

/**
 * Starts GoToSocial on SQLite with a new data folder, without rate limits. `path`: the binary; the folder `web` of its
 * release archive is beside it.
 * @throws CommandError if that folder is missing, or if it does not start
 */
export async function startGoToSocial(
  path: string,
  { port, authors: count, remote }: { port: number; authors: number; remote: RemoteAuthors },
): Promise<ComparedServer> {
  const program = resolve(path)
  const web = join(dirname(program), 'web')
  if (!existsSync(join(web, 'template'))) throw new CommandError(`The templates of GoToSocial are not in ${web}`)
  const folder = await mkdtemp(join(tmpdir(), 'linnet-bench-peer-'))
  const caFile = join(folder, 'ca.pem')
  await writeFile(caFile, remote.ca)
  const env = {
    PATH: process.env['PATH'] ?? '',
    HOME: folder,
    GTS_HOST: `localhost:${port}`,
    GTS_PROTOCOL: 'http',
    GTS_BIND_ADDRESS: '127.0.0.1',
    GTS_PORT: String(port),
    GTS_DB_TYPE: 'sqlite',
    GTS_DB_ADDRESS: join(folder, 'sqlite.db'),
    GTS_STORAGE_LOCAL_BASE_PATH: join(folder, 'storage'),
    GTS_WEB_TEMPLATE_BASE_DIR: `${web}/template/`,
    GTS_WEB_ASSET_BASE_DIR: `${web}/assets/`,
    GTS_LETSENCRYPT_ENABLED: 'false',
    // While it stops, it logs an error for each effect that it has not finished.
    GTS_LOG_LEVEL: 'fatal',
    GTS_ADVANCED_RATE_LIMIT_REQUESTS: '0',
    GTS_ADVANCED_THROTTLING_MULTIPLIER: '0',
    GTS_HTTP_CLIENT_ALLOW_IPS: '127.0.0.1/32',
    HTTPS_PROXY: `http://127.0.0.1:${remote.proxyPort}`,
    SSL_CERT_FILE: caFile,
  }
  // Users can only be created after a first start.
  const first = await startProgram(program, { env, port })
  await first.stop()
  const usernames = Array.from({ length: count }, (_, n) => `author${n + 1}`)
  for (const [n, username] of usernames.entries()) {
    console.error(`creating user ${n + 1} of ${count}`)
    await run(
      program,
      ['admin', 'account', 'create', '--username', username, '--email', mailOf(username), '--password', PASSWORD],
      { env },
    )
  }
  const { pid, ms, stop } = await startProgram(program, { env, port })
  const tokens: string[] = []
  const authors: ComparedUser[] = []
  for (const username of usernames) {
    const token = await signIn({ port, email: mailOf(username), password: PASSWORD })
    const response = await fetch(`http://localhost:${port}/api/v1/accounts/verify_credentials`, {
      headers: { authorization: `Bearer ${token}` },
    })
    tokens.push(token)
    authors.push({ id: ((await response.json()) as { id: string }).id, username })
  }
  return {
    name: 'GoToSocial',
    port,
    starts: [first.ms, ms],
    authors,
    tokens,
    readerTokens: tokens,
    actorPath: ({ username }) => `/users/${username}/main-key`,
    inboxPath: `/users/${usernames[0]}/inbox`,
    // The readers are the authors.
    prepareReaders: async () => {},
    readCpu: () => cpuOf(pid, { withChildren: true }),
    readMemory: () => memoryOf(pid, { withChildren: true }),
    async stop() {
      await stop()
      await rm(folder, { recursive: true })
    },
  }
}

/** Starts the server, and waits until it responds. @throws CommandError if it ends */
async function startProgram(
  program: string,
  { env, port }: { env: Record<string, string>; port: number },
): Promise<{ pid: number; ms: number; stop(): Promise<void> }> {
  const start = performance.now()
  const child = spawn(program, ['server', 'start'], { env, stdio: ['ignore', 'ignore', 'inherit'] })
  const closed = once(child, 'close')
  await waitFor('the start of GoToSocial', async () => {
    if (child.exitCode !== null) throw new CommandError(`GoToSocial ended with ${child.exitCode}`)
    return fetch(`http://127.0.0.1:${port}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
  })
  return {
    pid: child.pid!,
    ms: performance.now() - start,
    async stop() {
      child.kill()
      await closed
    },
  }
}

const mailOf = (username: string) => `${username}@mail.test`
