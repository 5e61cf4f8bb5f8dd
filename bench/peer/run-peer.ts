import { CommandError } from '../../src/cli/command-error.ts'
import { applyLoad } from '../measure/apply-load.ts'
import type { Pace } from '../measure/pace.ts'
import type { Sample } from '../measure/row.ts'
import { startChild } from '../setup/start-child.ts'
import type { Child } from '../setup/start-child.ts'
import { waitFor } from '../setup/wait-for.ts'
import type { ComparedServer } from './compared-server.ts'
import { fill } from './fill.ts'
import { startGoToSocial } from './gotosocial.ts'
import { startLinnet } from './linnet.ts'
import { PEER_ROWS } from './rows.ts'
import type { PeerRow } from './rows.ts'
import { writePeerTable } from './write-peer-table.ts'

const AUTHORS = 24

/** A server is settled when it uses less than this share of one processor for this time. */
const SETTLED_SHARE = 0.05
const SETTLE_MS = 1_000

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
  try {
    servers.push(await startLinnet({ port, authors: AUTHORS }))
    servers.push(await startGoToSocial(path, { port: port + 1, authors: AUTHORS }))
    for (const server of servers) {
      console.error(`filling ${server.name}`)
      await fill(server)
      await settle(server)
    }
    const idle = servers.map((server) => server.readMemory())
    const rows = PEER_ROWS.filter(({ name }) => only.test(name))
    const samples = new Map(rows.map((row) => [row, servers.map((): Sample[] => [])]))
    for (let round = 1; round <= pace.rounds; round += 1) {
      for (const row of rows) {
        for (const [n, server] of servers.entries()) {
          const sample = await measureRow(row, { server, load, pace })
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
    const memory = servers.map((server, n) => ({ name: server.name, idle: idle[n]!, after: server.readMemory() }))
    return writePeerTable(
      rows.map((row) => ({ name: row.name, samples: samples.get(row)! })),
      { names: servers.map(({ name }) => name), memory },
    )
  } finally {
    for (const server of servers) await server.stop()
    await load.end()
  }
}

/** Measures one window. The processor time includes what the server does after its responses. */
async function measureRow(
  row: PeerRow,
  { server, load, pace }: { server: ComparedServer; load: Child; pace: Pace },
): Promise<Sample> {
  const readCpu = () => ({ server: server.readCpu(), database: 0 })
  let before = 0
  const sample = await applyLoad(
    { load, pace, readCpu },
    { kind: 'requests', port: server.port, ...row.requestsOf(server) },
    // Posts before the window would have effects in it.
    { warmUpMs: row.name.startsWith('POST') ? 0 : pace.warmUpMs, onBegin: () => (before = server.readCpu()) },
  )
  if (!row.name.startsWith('POST')) return sample
  await settle(server)
  return { ...sample, serverUs: ((server.readCpu() - before) * 1000) / sample.count }
}

async function settle(server: ComparedServer): Promise<void> {
  let used = server.readCpu()
  await waitFor(
    `the end of the work of ${server.name}`,
    async () => {
      const now = server.readCpu()
      const share = (now - used) / SETTLE_MS
      used = now
      return share < SETTLED_SHARE
    },
    { pollMs: SETTLE_MS },
  )
}
