import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { createCa } from './certificates.ts'
import { findPort } from './linnet.ts'
import { hasten } from './hasten.ts'
import { openWorld } from './world.ts'
import type { World } from './world.ts'

/** What did not arrive on a busy machine is sent again that often, without its pause. */
const TRIES = 10

/** Two servers of ours, `a.test` and `b.test`, that reach each other over https. */
export async function openTwoServers(): Promise<{
  a: World
  b: World
  settle(): Promise<void>
  close(): Promise<void>
}> {
  const folder = await mkdtemp(join(tmpdir(), 'linnet-two-'))
  const ca = createCa()
  const { key, cert } = ca.issue(['a.test', 'b.test'])
  await writeFile(join(folder, 'cert.pem'), cert)
  await writeFile(join(folder, 'key.pem'), key, { mode: 0o600 })
  const ports = { a: await findPort(), b: await findPort() }
  const open = async (name: 'a' | 'b'): Promise<World> => {
    const world = await openWorld({
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
    await world.listen()
    return world
  }
  const [a, b] = [await open('a'), await open('b')]
  return {
    a,
    b,
    // What one does may give the other something to do, which may answer.
    async settle() {
      for (let tries = 0; tries < TRIES; tries += 1) {
        for (const world of [a, b, a, b]) await world.settle()
        const waiting = [await sendAgain(a), await sendAgain(b)]
        if (!waiting.includes(true)) return
      }
    },
    async close() {
      await a.close()
      await b.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function sendAgain({ ctx }: World): Promise<boolean> {
  const { rows } = await sql`
    update deliveries set next_try_at = now() where state = 'waiting' returning id`.execute(ctx.db)
  if (rows.length === 0) return false
  await sql`update hosts set retry_after = null`.execute(ctx.db)
  await hasten(ctx, 'deliverToHost')
  return true
}
