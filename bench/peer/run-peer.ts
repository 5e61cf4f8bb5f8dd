import { CommandError } from '../../src/cli/command-error.ts'
import { applyLoad } from '../measure/apply-load.ts'
import type { Pace } from '../measure/pace.ts'
import type { Sample } from '../measure/row.ts'
import { writeDuring } from '../setup/write-during.ts'
import { startChild } from '../setup/start-child.ts'
import { waitFor } from '../setup/wait-for.ts'
import type { ComparedServer } from './compared-server.ts'
import { fill } from './fill.ts'
import { startGoToSocial } from './gotosocial.ts'
import { startLinnet } from './linnet.ts'
import type { RemoteAuthors } from './remote-authors.ts'
import { PEER_ROWS } from './rows.ts'
import type { PeerRow, PeerStage } from './rows.ts'
import { writePeerTable } from './write-peer-table.ts'

const AUTHORS = 24

/** A server is settled when it uses less than this share of one processor for this time. */
const SETTLED_SHARE = 0.05
const SETTLE_MS = 1_000
const SETTLE_POLL_MS = 100

/**
 * Compares Linnet with GoToSocial: both get the same posts through the API, and then the same requests in alternating
 * windows. `path`: the binary of GoToSocial. Returns the table.
 */
export async function runPeer(
  path: string,
  { pace, port, only }: { pace: Pace; port: number; only: RegExp },
): Promise<string> {
  const servers: ComparedServer[] = []
  const load = startChild('load/run-load.ts')
  const site = startChild('peer/remote-authors.ts')
  try {
    const remote = await site.receive<RemoteAuthors>()
    servers.push(await startLinnet({ port, authors: AUTHORS, remote }))
    servers.push(await startGoToSocial(path, { port: port + 1, authors: AUTHORS, remote }))
    for (const server of servers) {
      console.error(`filling ${server.name}`)
      await fill(server, remote)
      await settle(server)
    }
    const idle = servers.map((server) => server.readMemory())
    const rows = PEER_ROWS.filter(({ name }) => only.test(name))
    const samples = new Map(rows.map((row) => [row, servers.map((): Sample[] => [])]))
    for (let round = 1; round <= pace.rounds; round += 1) {
      for (const row of rows) {
        for (const [n, server] of servers.entries()) {
          const sample = await measureRow(row, { server, load, remote, pace })
          if (sample.failures > 0)
            throw new CommandError(`${server.name}: ${sample.failures} responses to ${row.name} were not 2xx`)
          samples.get(row)![n]!.push(sample)
          console.error(
            `round ${round} of ${pace.rounds}: ${row.name.padEnd(28)} ${server.name.padEnd(12)} ` +
              `${sample.rate!.toFixed(0).padStart(7)} per second`,
          )
        }
      }
    }
    const facts = servers.map((server, n) => ({
      name: server.name,
      starts: server.starts,
      idle: idle[n]!,
      after: server.readMemory(),
    }))
    return writePeerTable(
      rows.map((row) => ({ name: row.name, samples: samples.get(row)! })),
      facts,
    )
  } finally {
    for (const server of servers) await server.stop()
    await load.end()
    await site.end()
  }
}

/** Measures one window. */
async function measureRow(row: PeerRow, stage: PeerStage): Promise<Sample> {
  const { server, load, pace } = stage
  const readCpu = () => ({ server: server.readCpu(), database: 0 })
  let before = 0
  let start = 0
  const onBegin = () => {
    before = server.readCpu()
    start = performance.now()
  }
  // Posts before the window would have effects in it.
  const options = { warmUpMs: row.writes ? 0 : pace.warmUpMs, onBegin }
  const measure = async () => applyLoad({ load, pace, readCpu }, row.workOf(stage), options)
  const sample = await (row.duringWrites
    ? writeDuring({ port: server.port, tokens: server.readerTokens }, measure)
    : measure())
  if (!row.writes && !row.duringWrites) return sample
  const end = await settle(server)
  if (!row.writes) return sample
  const serverUs = ((server.readCpu() - before) * 1000) / sample.count
  return { ...sample, serverUs, ...(row.untilProcessed && { rate: (sample.count * 1000) / (end - start) }) }
}

/** Waits until the server has used little processor time for a while. Returns when that began, by `performance.now()`. */
async function settle(server: ComparedServer): Promise<number> {
  let readings: { at: number; cpu: number }[] = []
  await waitFor(
    `the end of the work of ${server.name}`,
    async () => {
      const now = { at: performance.now(), cpu: server.readCpu() }
      readings = [...readings.filter(({ at }) => at > now.at - SETTLE_MS - SETTLE_POLL_MS), now]
      const { at, cpu } = readings[0]!
      return now.at - at >= SETTLE_MS && (now.cpu - cpu) / (now.at - at) < SETTLED_SHARE
    },
    { pollMs: SETTLE_POLL_MS },
  )
  return readings[0]!.at
}
