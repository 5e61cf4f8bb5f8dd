import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { openServerPair, prepareServerPair } from './server-pair.ts'
import { runChaos } from './chaos.ts'
import { exchangeStatuses } from './exchange-statuses.ts'

/**
 * Runs two servers over https, with users on both who follow each other and post. With `--chaos`, it also kills the
 * servers repeatedly, at times derived from `--seed`, and compares the data of both at the end.
 */
const { values } = parseArgs({
  options: { chaos: { type: 'boolean', default: false }, seed: { type: 'string' }, kills: { type: 'string' } },
})

if (process.env.PAIR_FOLDER) {
  const pair = await openServerPair()
  try {
    if (values.chaos) {
      const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))
      await runChaos(pair, { seed, kills: Number(values.kills ?? 20) })
    } else {
      await exchangeStatuses(pair)
    }
  } finally {
    await pair.close()
  }
  process.exit()
} else {
  const env = { ...process.env, ...(await prepareServerPair()) }
  const words = [fileURLToPath(import.meta.url), ...process.argv.slice(2)]
  const child = spawn(process.execPath, words, { env, stdio: 'inherit' })
  const [code] = (await once(child, 'exit')) as [number | null]
  process.exitCode = code ?? 1
}
