import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startChild } from './start-child.ts'

/** The number of remote servers. */
export const HOSTS = 1_000

/** A process that represents all remote servers and accepts every delivery. */
export interface DeliverySink {
  port: number
  /** The path of the certificate authority that the delivering server must trust (PEM). */
  caFile: string
  /** Returns the number of received deliveries. */
  countReceived(): Promise<number>
  close(): Promise<void>
}

export async function openSink(): Promise<DeliverySink> {
  const child = startChild('setup/sink.ts')
  const { port, ca } = await child.receive<{ port: number; ca: string }>()
  const folder = await mkdtemp(join(tmpdir(), 'linnet-bench-'))
  const caFile = join(folder, 'ca.pem')
  await writeFile(caFile, ca)
  return {
    port,
    caFile,
    async countReceived() {
      const answer = child.receive<{ received: number }>()
      child.send({ count: true })
      return (await answer).received
    },
    async close() {
      await child.end()
      await rm(folder, { recursive: true })
    },
  }
}

export function hostName(n: number): string {
  return `h${n + 1}.bench.test`
}

/** A remote server that only the row of suspensions uses: a suspension ends the follows of the accounts of a host. */
export const SUSPENDED_HOST = hostName(HOSTS)

/** Returns the value of `LINNET_TEST_HOSTS` for all remote servers. */
export function testHostsSetting({ port }: DeliverySink): string {
  return Array.from({ length: HOSTS + 1 }, (_, n) => `${hostName(n)}=127.0.0.1:${port}`).join(',')
}
