import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createCa } from './certificates.ts'
import { findPort } from './linnet.ts'
import { openWorld } from './world.ts'
import type { World } from './world.ts'

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
      for (const world of [a, b, a, b]) await world.settle()
    },
    async close() {
      await a.close()
      await b.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}
