import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startChild } from './child.ts'

/** So many other servers there are. */
export const HOSTS = 1_000

/** All the other servers, in one process: they take whatever is delivered. */
export interface Sink {
  port: number
  /** What who delivers has to trust (PEM). */
  caFile: string
  /** How many deliveries have come so far. */
  countTaken(): Promise<number>
  close(): Promise<void>
}

export async function openSink(): Promise<Sink> {
  const child = startChild('sink.ts')
  const { port, ca } = await child.hear<{ port: number; ca: string }>()
  const folder = await mkdtemp(join(tmpdir(), 'linnet-bench-'))
  const caFile = join(folder, 'ca.pem')
  await writeFile(caFile, ca)
  return {
    port,
    caFile,
    async countTaken() {
      const answer = child.hear<{ taken: number }>()
      child.tell({ count: true })
      return (await answer).taken
    },
    async close() {
      await child.end()
      await rm(folder, { recursive: true })
    },
  }
}

export function nameOfHost(n: number): string {
  return `h${n + 1}.bench.test`
}

/** Where a server finds them, for its environment. */
export function hostsOf({ port }: Sink): string {
  return Array.from({ length: HOSTS }, (_, n) => `${nameOfHost(n)}=127.0.0.1:${port}`).join(',')
}
