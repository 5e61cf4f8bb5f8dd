import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { createCa } from '../services/certificates.ts'
import { findPort } from './linnet-process.ts'
import { makeJobsDue } from '../jobs/make-jobs-due.ts'
import { openTestServer } from './test-server.ts'
import type { TestServer } from './test-server.ts'

/** On a busy machine deliveries may fail; `settle` retries them this often, without backoff. */
const MAX_ATTEMPTS = 10

/** Opens two Linnet servers, `a.test` and `b.test`, that reach each other over https. */
export async function openTwoServers(): Promise<{
  a: TestServer
  b: TestServer
  settle(): Promise<void>
  close(): Promise<void>
}> {
  const folder = await mkdtemp(join(tmpdir(), 'linnet-two-'))
  const ca = createCa()
  const { key, cert } = ca.issue(['a.test', 'b.test'])
  await writeFile(join(folder, 'cert.pem'), cert)
  await writeFile(join(folder, 'key.pem'), key, { mode: 0o600 })
  const ports = { a: await findPort(), b: await findPort() }
  const open = async (name: 'a' | 'b'): Promise<TestServer> => {
    const testServer = await openTestServer({
      extraCa: ca.pem,
      env: {
        LOCAL_DOMAIN: `${name}.test`,
        PORT: ports[name],
        TLS_CERT_FILE: join(folder, 'cert.pem'),
        TLS_KEY_FILE: join(folder, 'key.pem'),
        ALLOWED_PRIVATE_ADDRESSES: '127.0.0.0/8',
        LINNET_TEST_HOSTS: `a.test=127.0.0.1:${ports.a},b.test=127.0.0.1:${ports.b}`,
      },
    })
    await testServer.listen()
    return testServer
  }
  const [a, b] = [await open('a'), await open('b')]
  return {
    a,
    b,
    // An activity of one server may cause activities of the other one, and these further ones.
    async settle() {
      for (let tries = 0; tries < MAX_ATTEMPTS; tries += 1) {
        for (const testServer of [a, b, a, b]) await testServer.waitForJobs()
        const hasPending = [await retryDeliveries(a), await retryDeliveries(b)]
        if (!hasPending.includes(true)) return
      }
    },
    async close() {
      await a.close()
      await b.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function retryDeliveries({ ctx }: TestServer): Promise<boolean> {
  const { rows } = await sql`
    update deliveries set next_attempt_at = now() where state = 'pending' returning id`.execute(ctx.db)
  if (rows.length === 0) return false
  await sql`update hosts set retry_after = null`.execute(ctx.db)
  await makeJobsDue(ctx, 'deliverToHost')
  return true
}
