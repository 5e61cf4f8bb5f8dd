import { parseArgs } from 'node:util'
import { runChaos } from './chaos.ts'
import { exchangeStatuses } from './exchange-statuses.ts'
import { runWithServerPair } from './run-with-server-pair.ts'

/**
 * Runs two servers over https, with users on both who follow each other and post. With `--chaos`, it also kills the
 * servers repeatedly, at times derived from `--seed`, and compares the data of both at the end.
 */
const { values } = parseArgs({
  options: { chaos: { type: 'boolean', default: false }, seed: { type: 'string' }, kills: { type: 'string' } },
})

await runWithServerPair(import.meta.url, async (pair) => {
  if (!values.chaos) return exchangeStatuses(pair)
  const seed = Number(values.seed ?? Math.floor(Math.random() * 2 ** 31))
  await runChaos(pair, { seed, kills: Number(values.kills ?? 20) })
})
