import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { openServerPair, prepareServerPair } from './server-pair.ts'
import type { ServerPair } from './server-pair.ts'

/**
 * Runs a script with two servers, then exits. `scriptUrl`: of the main module, which is started again in a process that
 * trusts the certificates of the servers.
 */
export async function runWithServerPair(scriptUrl: string, script: (pair: ServerPair) => Promise<void>): Promise<void> {
  if (!process.env.PAIR_FOLDER) {
    const env = { ...process.env, ...(await prepareServerPair()) }
    const words = [fileURLToPath(scriptUrl), ...process.argv.slice(2)]
    const child = spawn(process.execPath, words, { env, stdio: 'inherit' })
    const [code] = (await once(child, 'exit')) as [number | null]
    process.exit(code ?? 1)
  }
  const pair = await openServerPair()
  try {
    await script(pair)
  } finally {
    await pair.close()
  }
  process.exit()
}
