import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { openPair, preparePair } from './pair.ts'
import { playChaos } from './chaos.ts'
import { playMeeting } from './meeting.ts'

/**
 * Two servers over https, and people on both who follow each other and talk. `--chaos` kills either of them again and
 * again meanwhile, at moments that `--seed` decides, and compares what both hold at the end.
 */
const { values } = parseArgs({
  options: { chaos: { type: 'boolean', default: false }, seed: { type: 'string' }, kills: { type: 'string' } },
})

if (process.env.PAIR_FOLDER) {
  const pair = await openPair()
  try {
    if (values.chaos) {
      const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))
      await playChaos(pair, { seed, kills: Number(values.kills ?? 20) })
    } else {
      await playMeeting(pair)
    }
  } finally {
    await pair.close()
  }
  process.exit()
} else {
  const env = { ...process.env, ...(await preparePair()) }
  const words = [fileURLToPath(import.meta.url), ...process.argv.slice(2)]
  const child = spawn(process.execPath, words, { env, stdio: 'inherit' })
  const [code] = (await once(child, 'exit')) as [number | null]
  process.exitCode = code ?? 1
}
